#include "tb/plan/collectives.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "hw/core/reduces.h"

namespace fredsim::tb {
namespace {

using hw::OperationType;

constexpr std::string_view in_network = "in-network";
constexpr std::string_view unicast = "unicast";
constexpr std::string_view control = "control";
constexpr std::string_view local = "local";
constexpr std::string_view streaming = "stream";

/// Builds the transfers of one operation.
class Expansion {
 public:
  Expansion(const hw::Operation& operation, hw::OperationId id, const PlannedOperation& planned)
      : operation_(operation), id_(id), planned_(planned), all_(operation.npus) {
    std::sort(all_.begin(), all_.end());
  }

  std::vector<Transfer> run() {
    switch (operation_.type) {
      case OperationType::all_reduce:
        add(0, all_, all_, planned_.padded_bytes);
        break;
      case OperationType::reduce:
        add(0, all_, {root()}, planned_.padded_bytes);
        break;
      case OperationType::broadcast:
        add(0, {root()}, all_but(root()), planned_.padded_bytes);
        break;
      case OperationType::reduce_scatter:
        reduce_scatter();
        break;
      case OperationType::all_gather:
        all_gather();
        break;
      case OperationType::scatter:
        scatter();
        break;
      case OperationType::gather:
        gather();
        break;
      case OperationType::all_to_all:
        all_to_all();
        break;
      case OperationType::send:
        add(0, {member(0)}, {*operation_.peer}, planned_.padded_bytes);
        break;
      case OperationType::barrier:
        add_barrier();
        break;
      default:
        throw hw::InternalError("no flows are made for operation " + operation_.id);
    }
    return std::move(transfers_);
  }

 private:
  std::uint64_t ranks() const { return operation_.npus.size(); }
  hw::NpuId member(std::uint64_t rank) const { return operation_.npus[rank]; }
  hw::NpuId root() const { return *operation_.root; }
  hw::Group all_but(hw::NpuId npu) const {
    hw::Group others;
    std::copy_if(all_.begin(), all_.end(), std::back_inserter(others), [&](hw::NpuId n) { return n != npu; });
    return others;
  }

  void add(std::uint64_t part, hw::Group sources, hw::Group destinations, std::uint64_t bytes,
           std::uint64_t source_begin = 0, std::uint64_t result_begin = 0) {
    if (bytes == 0) return;
    Transfer t;
    t.flow.operation = id_;
    t.flow.part = static_cast<std::uint32_t>(part);
    t.flow.vc = hw::channel_of(operation_.traffic_class);
    t.flow.reduces = hw::reduces(operation_);
    t.flow.dtype = planned_.dtype;
    t.flow.op = operation_.op;
    t.flow.bytes = bytes;
    t.flow.sources = std::move(sources);
    t.flow.destinations = std::move(destinations);
    t.source_begin = source_begin;
    t.result_begin = result_begin;
    transfers_.push_back(std::move(t));
  }

  void reduce_scatter() {
    const std::uint64_t elements = planned_.padded_bytes / planned_.element_bytes;
    for (std::uint64_t r = 0; r < ranks(); ++r) {
      const hw::Range shard = hw::shard(elements, ranks(), r);
      add(r, all_, {member(r)}, shard.size() * planned_.element_bytes, shard.begin * planned_.element_bytes,
          0);
    }
  }

  void all_gather() {
    for (std::uint64_t r = 0; r < ranks(); ++r) {
      add(r, {member(r)}, all_but(member(r)), operation_.bytes, 0, r * operation_.bytes);
    }
  }

  void scatter() {
    for (std::uint64_t r = 0; r < ranks(); ++r) {
      if (member(r) != root()) add(r, {root()}, {member(r)}, operation_.bytes, r * operation_.bytes, 0);
    }
  }

  void gather() {
    for (std::uint64_t r = 0; r < ranks(); ++r) {
      if (member(r) != root()) add(r, {member(r)}, {root()}, operation_.bytes, 0, r * operation_.bytes);
    }
  }

  /// In step s rank i sends to rank i + s, so that the unicasts of a step are disjoint (FRED table 2).
  void all_to_all() {
    for (std::uint64_t step = 1; step < ranks(); ++step) {
      for (std::uint64_t from = 0; from < ranks(); ++from) {
        const std::uint64_t to = (from + step) % ranks();
        const hw::Range block = hw::shard(operation_.bytes, ranks(), to);
        add((step - 1) * ranks() + from, {member(from)}, {member(to)}, block.size(), block.begin,
            from * block.size());
      }
    }
  }

  void add_barrier() {
    Transfer t;
    t.flow.operation = id_;
    t.flow.vc = hw::VirtualChannel::control;
    t.flow.sources = all_;
    t.flow.destinations = all_;
    transfers_.push_back(std::move(t));
  }

  const hw::Operation& operation_;
  hw::OperationId id_;
  const PlannedOperation& planned_;
  hw::Group all_;  ///< ascending
  std::vector<Transfer> transfers_;
};

/// Whether nothing of the operation crosses the network.
bool is_local(const hw::Operation& operation) {
  switch (operation.type) {
    case OperationType::compute:
      return true;
    case OperationType::barrier:
      return operation.npus.size() == 1;
    case OperationType::send:
    case OperationType::recv:
      return operation.bytes == 0 || operation.npus.front() == *operation.peer;
    default:
      return operation.bytes == 0 || operation.npus.size() == 1;
  }
}

bool is_io(const hw::Operation& operation) {
  return operation.type == OperationType::load || operation.type == OperationType::store;
}

/// The operation's own choice, else that of its class.
AlgorithmChoice wish_of(const hw::Workload& workload, hw::OperationId id, const PlanOptions& options) {
  const hw::Operation& operation = workload.operations[id.value];
  if (operation.algorithm.empty()) return options.algorithm[hw::index(operation.traffic_class)];
  if (const auto choice = parse_algorithm_choice(operation.algorithm)) return *choice;
  throw hw::InputError(fmt::format("{}algorithm \"{}\" is not available; allowed: {}{}",
                                   place_of(workload, id), operation.algorithm,
                                   fmt::join(algorithm_choice_names(), ", "),
                                   hw::did_you_mean(operation.algorithm, algorithm_choice_names())));
}

/// The routers of a mesh do not reduce or copy (FRED sec. 7.2): all NPUs together go by rows and columns, any
/// other group is a ring.
AlgorithmChoice choice_of(const hw::Workload& workload, hw::OperationId id, const PlanOptions& options) {
  const AlgorithmChoice wish = wish_of(workload, id, options);
  if (!options.mesh) return wish;
  if (wish == AlgorithmChoice::in_network) {
    throw hw::InputError(
        fmt::format("{}algorithm \"{}\" needs switches that reduce, and a mesh has none; auto or an "
                    "endpoint algorithm is allowed",
                    place_of(workload, id), in_network));
  }
  if (wish != AlgorithmChoice::automatic) return wish;
  const bool all = workload.operations[id.value].npus.size() == options.mesh->mesh.nodes();
  return all ? AlgorithmChoice::hierarchical_2d : AlgorithmChoice::ring;
}

std::string_view algorithm_of(const hw::Operation& operation, AlgorithmChoice choice) {
  if (is_io(operation)) return operation.bytes == 0 ? local : streaming;
  if (is_local(operation)) return local;
  if (operation.type == OperationType::barrier) return control;
  if (operation.type == OperationType::send || operation.type == OperationType::recv) return unicast;
  // Endpoint algorithms that have no steps of their own for it are the same unicasts, one for each pair.
  if (endpoint_algorithm(choice)) return to_string(accel::Algorithm::direct);
  return in_network;
}

}  // namespace

std::string place_of(const hw::Workload& workload, hw::OperationId id) {
  const hw::Operation& operation = workload.operations[id.value];
  std::string place = workload.source;
  if (operation.line != 0) place += fmt::format(":{}", operation.line);
  return fmt::format("{}: operation \"{}\": ", place, operation.id);
}

PlannedOperation plan_operation(const hw::Workload& workload, hw::OperationId id, const PlanOptions& options,
                                EndpointPlanner& planner) {
  const hw::Operation& operation = workload.operations[id.value];
  const std::uint32_t controllers =
      options.mesh ? options.mesh->mesh.io_controllers() : options.tree.io_controllers;
  if (controllers == 0 && is_io(operation)) {
    throw hw::InputError(fmt::format("{}{} needs I/O controllers, and this system has none",
                                     place_of(workload, id), hw::to_string(operation.type)));
  }
  PlannedOperation planned;
  const AlgorithmChoice choice = choice_of(workload, id, options);
  planned.algorithm = algorithm_of(operation, choice);
  planned.dtype = operation.dtype.value_or(options.dtype);
  planned.padded_bytes = operation.bytes;
  // Offsets into the largest buffer, that of all members' shards, are to fit a signed 64-bit number.
  constexpr std::uint64_t limit = std::numeric_limits<std::int64_t>::max();
  const std::uint64_t members = operation.npus.size();
  if (operation.bytes > limit / members - hw::size_of(planned.dtype)) {
    throw hw::InputError(fmt::format("{}{} bytes for each of {} members are more than {} in all",
                                     place_of(workload, id), operation.bytes, members, limit));
  }
  if (hw::reduces(operation)) {
    planned.element_bytes = static_cast<std::uint32_t>(hw::size_of(planned.dtype));
    const std::uint64_t elements = (operation.bytes + planned.element_bytes - 1) / planned.element_bytes;
    planned.padded_bytes = elements * planned.element_bytes;
  }
  // Routers of a mesh do not reduce: the NPUs do (FRED sec. 7.1).
  if (options.mesh && operation.type == OperationType::store && hw::reduces(operation) && operation.bytes > 0)
    planner.plan_store(operation, options.mesh->mesh, planned);
  const std::optional<accel::Algorithm> algorithm = endpoint_algorithm(choice);
  if (options.mesh && operation.type == OperationType::barrier && !is_local(operation))
    planner.plan_barrier(operation, planned);
  if (algorithm && has_steps(operation.type) && !is_local(operation))
    planner.plan(operation, *algorithm, planned);
  return planned;
}

std::vector<Transfer> transfers_of(const hw::Workload& workload, hw::OperationId id,
                                   const PlannedOperation& planned) {
  const hw::Operation& operation = workload.operations[id.value];
  if (operation.type == OperationType::recv || is_local(operation)) return {};
  return Expansion(operation, id, planned).run();
}

bool joins_or_copies(const hw::Operation& operation, const PlannedOperation& planned) {
  if (planned.endpoint || (!is_io(operation) && is_local(operation))) return false;
  if (hw::reduces(operation)) return operation.npus.size() > 1;
  if (is_io(operation)) return operation.mode != "shard" && operation.npus.size() > 1;
  const bool copies =
      operation.type == OperationType::broadcast || operation.type == OperationType::all_gather;
  return copies && operation.npus.size() > 2;
}

hw::Time compute_time(const hw::Workload& workload, hw::OperationId id, const PlanOptions& options) {
  const hw::Operation& operation = workload.operations[id.value];
  if (operation.type != OperationType::compute) return {};
  if (operation.flops == 0) return operation.duration;
  if (!(options.npu_flops > 0)) {
    throw hw::InputError(
        fmt::format("{}flops are given, but npu.flops, how many an NPU does in a second, is not",
                    place_of(workload, id)));
  }
  // In 80 bits, so that quotients that are whole come out whole.
  const long double fs = std::ceil(static_cast<long double>(operation.flops) * 1e15L / options.npu_flops);
  if (fs > static_cast<long double>(hw::Time::max().fs())) {
    throw hw::InputError(fmt::format(
        "{}{} flops at {} a second take longer than {}, the longest time there is", place_of(workload, id),
        operation.flops, options.npu_flops, hw::to_string(hw::Time::max())));
  }
  return hw::Time::fs(static_cast<std::int64_t>(fs));
}

}  // namespace fredsim::tb
