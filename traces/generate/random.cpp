#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "hw/core/error.h"
#include "traces/format/check.h"
#include "traces/format/keys.h"
#include "traces/format/match.h"
#include "traces/generate/generate.h"

namespace fredsim::trace {
namespace {

using hw::OperationType;

/// The standard's distributions differ between libraries; its engines do not.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// From 0 to n - 1; the bias of the remainder does not matter here.
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class Container>
  auto pick(const Container& values) {
    return values[below(values.size())];
  }

 private:
  std::mt19937_64 engine_;
};

class RandomWorkload {
 public:
  explicit RandomWorkload(const RandomPattern& pattern) : pattern_(pattern), dice_(pattern.seed) {}

  hw::Workload make() {
    workload_.npus = pattern_.npus;
    workload_.name = pattern_.name.empty() ? fmt::format("random, seed {}", pattern_.seed) : pattern_.name;
    workload_.source = "generated";
    last_at_.resize(pattern_.npus);
    while (workload_.operations.size() < pattern_.operations) {
      if (!open_sends_.empty() && (must_receive() || dice_.one_in(3))) {
        receive();
      } else {
        issue();
      }
    }
    set_partners(workload_);
    return std::move(workload_);
  }

 private:
  /// The operations left are all needed to receive what has been sent.
  bool must_receive() const {
    return workload_.operations.size() + open_sends_.size() >= pattern_.operations;
  }

  OperationType type() {
    std::vector<OperationType> types = {OperationType::compute,        OperationType::all_reduce,
                                        OperationType::reduce_scatter, OperationType::all_gather,
                                        OperationType::reduce,         OperationType::broadcast,
                                        OperationType::scatter,        OperationType::gather,
                                        OperationType::all_to_all,     OperationType::barrier};
    if (pattern_.io) types.insert(types.end(), {OperationType::load, OperationType::store});
    // A send needs another NPU to go to, and room for its receive.
    const bool room = workload_.operations.size() + open_sends_.size() + 2 <= pattern_.operations;
    if (pattern_.npus > 1 && room) types.push_back(OperationType::send);
    return dice_.pick(types);
  }

  std::uint64_t bytes() {
    const std::uint64_t limit = pattern_.max_bytes;
    switch (dice_.below(4)) {
      case 0:
        return std::min<std::uint64_t>(limit, dice_.below(9));  // 0, 1, less than a member each
      case 1:
        return std::min<std::uint64_t>(limit, 4090 + dice_.below(10));  // around a packet
      default:
        return dice_.below(limit + 1);
    }
  }

  hw::Group group(std::size_t members) {
    hw::Group all;
    for (std::uint32_t npu = 0; npu < pattern_.npus; ++npu) all.emplace_back(npu);
    for (std::size_t i = 0; i < members; ++i) std::swap(all[i], all[i + dice_.below(all.size() - i)]);
    all.resize(members);
    return all;
  }

  hw::OperationId next() const {
    return hw::OperationId(static_cast<std::uint32_t>(workload_.operations.size()));
  }

  void depend(hw::Operation& operation) {
    const auto add = [](std::vector<hw::OperationId>& list, hw::OperationId id) {
      if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
    };
    for (const hw::NpuId npu : operation.npus) {
      if (!last_at_[npu.value].empty() && dice_.one_in(3))
        add(operation.after, dice_.pick(last_at_[npu.value]));
    }
    if (next().value != 0 && dice_.one_in(12)) {
      add(operation.after_all, hw::OperationId(static_cast<std::uint32_t>(dice_.below(next().value))));
    }
  }

  void push(hw::Operation operation) {
    depend(operation);
    for (const hw::NpuId npu : operation.npus) {
      auto& recent = last_at_[npu.value];
      recent.push_back(next());
      if (recent.size() > 4) recent.erase(recent.begin());
    }
    workload_.operations.push_back(std::move(operation));
  }

  void issue() {
    hw::Operation operation;
    operation.type = type();
    operation.id = fmt::format("{}{}", hw::to_string(operation.type), next().value);
    const auto takes = [&](const char* key) { return need(operation.type, key) != Need::not_taken; };
    const bool single = operation.type == OperationType::compute || operation.type == OperationType::send;
    operation.npus = group(single ? 1 : 1 + dice_.below(pattern_.npus));
    if (takes("bytes")) operation.bytes = bytes();
    if (takes("class"))
      operation.traffic_class = static_cast<hw::TrafficClass>(dice_.below(hw::traffic_classes));
    if (takes("ns")) operation.duration = hw::Time::fs(static_cast<std::int64_t>(dice_.below(2'000'000'000)));
    if (takes("root")) operation.root = dice_.pick(operation.npus);
    if (takes("mode")) operation.mode = dice_.one_in(2) ? "broadcast" : "shard";
    if (takes("op")) operation.op = static_cast<hw::ReduceOp>(dice_.below(3));
    if (takes("op")) {
      operation.dtype =
          dice_.pick(std::array{hw::DType::fp16, hw::DType::bf16, hw::DType::fp32, hw::DType::int32});
    }
    if (operation.type == OperationType::send) {
      do {
        operation.peer = hw::NpuId(static_cast<std::uint32_t>(dice_.below(pattern_.npus)));
      } while (*operation.peer == operation.npus[0]);
      operation.tag = static_cast<std::int64_t>(dice_.below(3));
      open_sends_.push_back(next());
    }
    push(std::move(operation));
  }

  /// Of sends with the same ends and tag the oldest is taken first, as receives match.
  void receive() {
    const auto& picked = workload_.operations[dice_.pick(open_sends_).value];
    const auto oldest = std::find_if(open_sends_.begin(), open_sends_.end(), [&](hw::OperationId id) {
      const hw::Operation& send = workload_.operations[id.value];
      return send.npus == picked.npus && send.peer == picked.peer && send.tag == picked.tag;
    });
    const hw::Operation& send = workload_.operations[oldest->value];
    hw::Operation operation;
    operation.type = OperationType::recv;
    operation.id = fmt::format("recv{}", next().value);
    operation.npus = {*send.peer};
    operation.peer = send.npus[0];
    operation.tag = send.tag;
    operation.bytes = send.bytes;
    operation.traffic_class = send.traffic_class;
    open_sends_.erase(oldest);
    push(std::move(operation));
  }

  const RandomPattern& pattern_;
  Dice dice_;
  hw::Workload workload_;
  std::vector<hw::OperationId> open_sends_;            ///< in file order
  std::vector<std::vector<hw::OperationId>> last_at_;  ///< by NPU: its last few operations
};

}  // namespace

hw::Workload generate_random(const RandomPattern& pattern) {
  if (pattern.npus < 1 || pattern.npus > max_npus) {
    throw hw::InputError(fmt::format("npus is {}, allowed are 1 to {}", pattern.npus, max_npus));
  }
  if (pattern.operations < 1) throw hw::InputError("a random trace needs at least one operation");
  if (pattern.max_bytes > max_bytes) throw hw::InputError("max_bytes is above 2^62");
  hw::Workload workload = RandomWorkload(pattern).make();
  refuse(check(workload));
  return workload;
}

}  // namespace fredsim::trace
