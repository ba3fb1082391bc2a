#include "traces/format/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>

#include "traces/format/keys.h"
#include "traces/format/match.h"
#include "traces/format/order_graph.h"

namespace fredsim::trace {
namespace {

using hw::Operation;
using hw::OperationType;

class Checker {
 public:
  Checker(const hw::Workload& workload, std::optional<std::uint32_t> system_npus, bool whole)
      : workload_(workload), system_npus_(system_npus), whole_(whole) {}

  std::vector<Problem> run() {
    if (!sizes()) return std::move(problems_);
    seen_at_.assign(workload_.npus, nobody);
    for (std::uint32_t i = 0; i < workload_.operations.size(); ++i) {
      const Operation& operation = workload_.operations[i];
      name(i, operation);
      group(i, operation);
      figures(operation);
      partners(operation);
      dependencies(i, operation);
    }
    Matching matching = match(workload_);
    if (whole_) {
      problems_.insert(problems_.end(), matching.unmatched.begin(), matching.unmatched.end());
      pairs(matching);
    } else {
      matching.partner.assign(workload_.operations.size(), std::nullopt);
    }
    cycles(matching);
    std::stable_sort(problems_.begin(), problems_.end(),
                     [](const Problem& a, const Problem& b) { return a.line < b.line; });
    return std::move(problems_);
  }

 private:
  static constexpr std::uint32_t nobody = 0xffffffff;

  template <class... Args>
  void report(const Operation& operation, fmt::format_string<Args...> form, Args&&... args) {
    problems_.push_back(
        {workload_.source, operation.line, operation.id, fmt::format(form, std::forward<Args>(args)...)});
  }

  void report_file(std::string reason) { problems_.push_back({workload_.source, 0, "", std::move(reason)}); }

  bool sizes() {
    if (workload_.npus < 1 || workload_.npus > max_npus) {
      report_file(fmt::format("the trace is for {} NPUs, allowed are 1 to {}", workload_.npus, max_npus));
      return false;
    }
    if (system_npus_ && workload_.npus > *system_npus_) {
      report_file(fmt::format("the trace is for {} NPUs, the system has {}", workload_.npus, *system_npus_));
    }
    if (workload_.operations.empty()) {
      report_file("the trace has no operations");
      return false;
    }
    return true;
  }

  void name(std::uint32_t i, const Operation& operation) {
    if (operation.id.empty()) report(operation, "operation {} of the trace has an empty id", i + 1);
    const auto [first, added] = ids_.emplace(operation.id, i);
    if (!added) {
      report(operation, "the id is already that of operation {} of the trace", first->second + 1);
    }
  }

  void group(std::uint32_t i, const Operation& operation) {
    if (operation.npus.empty()) report(operation, "npus is empty");
    const bool single = operation.type == OperationType::send || operation.type == OperationType::recv;
    if (single && operation.npus.size() > 1) {
      report(operation, "a {} takes one NPU in npus, this has {}", hw::to_string(operation.type),
             operation.npus.size());
    }
    for (const hw::NpuId npu : operation.npus) {
      if (npu.value >= workload_.npus) {
        report(operation, "NPU {} is outside the trace, which has NPUs 0 to {}", npu.value,
               workload_.npus - 1);
      } else if (seen_at_[npu.value] == i) {
        report(operation, "NPU {} is in the group twice", npu.value);
      } else {
        seen_at_[npu.value] = i;
      }
    }
    const bool rooted = need(operation.type, "root") == Need::required;
    if (rooted && !operation.root) report(operation, "a {} needs a root", hw::to_string(operation.type));
    if (rooted && operation.root &&
        std::find(operation.npus.begin(), operation.npus.end(), *operation.root) == operation.npus.end()) {
      report(operation, "root {} is not in the group", operation.root->value);
    }
  }

  void figures(const Operation& operation) {
    if (operation.bytes > max_bytes)
      report(operation, "bytes is {}, at most 2^62 are allowed", operation.bytes);
    if (!std::isfinite(operation.flops) || operation.flops < 0 || operation.flops > max_flops) {
      report(operation, "flops is {}, allowed are 0 to {}", operation.flops, max_flops);
    }
    if (operation.duration < hw::Time()) report(operation, "ns is negative");
    const bool io = operation.type == OperationType::load || operation.type == OperationType::store;
    if (io && operation.mode != "broadcast" && operation.mode != "shard") {
      report(operation, "{}", unknown("mode", operation.mode, {"broadcast", "shard"}));
    }
  }

  void partners(const Operation& operation) {
    const bool sends = operation.type == OperationType::send;
    if (!sends && operation.type != OperationType::recv) return;
    const char* key = sends ? "to" : "from";
    if (!operation.peer) {
      report(operation, "a {} needs {}", hw::to_string(operation.type), key);
    } else if (operation.peer->value >= workload_.npus) {
      report(operation, "{} is NPU {}, which is outside the trace (NPUs 0 to {})", key, operation.peer->value,
             workload_.npus - 1);
    } else if (operation.npus.size() == 1 && operation.npus[0] == *operation.peer) {
      report(operation, "NPU {} {} itself", operation.peer->value, sends ? "sends to" : "receives from");
    }
  }

  /// `seen_at_` holds the members of operation i.
  void dependencies(std::uint32_t i, const Operation& operation) {
    for (const auto* list : {&operation.after, &operation.after_all}) {
      const char* key = list == &operation.after ? "after" : "after_all";
      for (const hw::OperationId id : *list) {
        if (id.value >= workload_.operations.size()) {
          report(operation, "{} names operation {} of a trace of {}", key, id.value + 1,
                 workload_.operations.size());
          continue;
        }
        const Operation& earlier = workload_.operations[id.value];
        if (id.value == i) {
          report(operation, "{} names the operation itself", key);
        } else if (list == &operation.after &&
                   std::none_of(earlier.npus.begin(), earlier.npus.end(), [&](hw::NpuId npu) {
                     return npu.value < workload_.npus && seen_at_[npu.value] == i;
                   })) {
          report(operation,
                 "after names \"{}\", which has no NPU in common with it; to wait for all of that operation, "
                 "use "
                 "after_all",
                 earlier.id);
        }
      }
      std::vector<hw::OperationId> sorted = *list;
      std::sort(sorted.begin(), sorted.end());
      const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
      if (twice != sorted.end() && twice->value < workload_.operations.size()) {
        report(operation, "{} names \"{}\" twice", key, workload_.operations[twice->value].id);
      }
    }
  }

  void pairs(const Matching& matching) {
    for (std::uint32_t i = 0; i < workload_.operations.size(); ++i) {
      const Operation& recv = workload_.operations[i];
      if (recv.type != OperationType::recv || !matching.partner[i]) continue;
      const Operation& send = workload_.operations[matching.partner[i]->value];
      if (recv.bytes != send.bytes) {
        report(recv, "receives {} bytes, but its send \"{}\"{} sends {}", recv.bytes, send.id, line_of(send),
               send.bytes);
      }
      if (recv.traffic_class != send.traffic_class) {
        report(recv, "is of class {}, but its send \"{}\"{} of class {}", hw::to_string(recv.traffic_class),
               send.id, line_of(send), hw::to_string(send.traffic_class));
      }
      if (recv.dtype != send.dtype) {
        const auto name = [](const std::optional<hw::DType>& dtype) {
          return dtype ? hw::to_string(*dtype) : std::string_view("not given");
        };
        report(recv, "dtype is {}, but that of its send \"{}\"{} is {}", name(recv.dtype), send.id,
               line_of(send), name(send.dtype));
      }
    }
  }

  static std::string line_of(const Operation& operation) {
    return operation.line == 0 ? "" : fmt::format(" (line {})", operation.line);
  }

  void cycles(const Matching& matching) {
    constexpr std::size_t shown = 16;
    for (const OrderGraph::Cycle& cycle : OrderGraph(workload_, matching).cycles()) {
      std::string path;
      for (std::size_t i = 0; i <= cycle.path.size(); ++i) {
        if (i == shown && cycle.path.size() > shown + 1) {
          path += fmt::format(" -> ... {} more ...", cycle.path.size() - shown);
          i = cycle.path.size();
        }
        const OperationAtNpu& at = cycle.path[i % cycle.path.size()];
        path += fmt::format("{}\"{}\" at NPU {}", i == 0 ? "" : " -> ",
                            workload_.operations[at.operation.value].id, at.npu.value);
      }
      if (cycle.also_at != 0) path += fmt::format(", and so at {} more NPUs", cycle.also_at);
      report(workload_.operations[cycle.path.front().operation.value],
             "waits for itself in a cycle (each must end before the next): {}", path);
    }
  }

  const hw::Workload& workload_;
  const std::optional<std::uint32_t> system_npus_;
  const bool whole_;
  std::vector<Problem> problems_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
  std::vector<std::uint32_t> seen_at_;  ///< by NPU: the last operation it was seen in
};

}  // namespace

std::vector<Problem> check(const hw::Workload& workload, std::optional<std::uint32_t> system_npus,
                           bool whole) {
  return Checker(workload, system_npus, whole).run();
}

}  // namespace fredsim::trace
