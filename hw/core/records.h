#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/core/dtype.h"
#include "hw/core/ids.h"
#include "hw/core/quantity.h"

namespace fredsim::hw {

/// Priority of data traffic, highest first (FRED sec. 5.4): model, pipeline, data parallel.
enum class TrafficClass : std::uint8_t { mp, pp, dp };
/// The four virtual channels of a port (FRED sec. 6.2.3). The data channels are the traffic classes.
enum class VirtualChannel : std::uint8_t { mp, pp, dp, control };
constexpr std::size_t traffic_classes = 3;
constexpr std::size_t virtual_channels = 4;
/// The buffers of an input port, one for each virtual channel.
using Capacities = std::array<Capacity, virtual_channels>;

constexpr VirtualChannel channel_of(TrafficClass c) {
  return static_cast<VirtualChannel>(c);
}
constexpr std::size_t index(VirtualChannel vc) {
  return static_cast<std::size_t>(vc);
}
constexpr std::size_t index(TrafficClass c) {
  return static_cast<std::size_t>(c);
}

enum class OperationType : std::uint8_t {
  compute,
  all_reduce,
  reduce_scatter,
  all_gather,
  reduce,
  broadcast,
  scatter,
  gather,
  all_to_all,
  send,
  recv,
  load,
  store,
  barrier,
};

/// Whether the network adds up the members' data.
constexpr bool reduces(OperationType t) {
  return t == OperationType::all_reduce || t == OperationType::reduce_scatter || t == OperationType::reduce;
}

/// The members of a collective, in rank order.
using Group = std::vector<NpuId>;

/// One line of a workload trace.
struct Operation {
  std::string id;
  OperationType type = OperationType::compute;
  Group npus;               ///< the group; one member for compute, send, recv
  std::uint64_t bytes = 0;  ///< as the trace gives it: per-NPU input or shard, see docs/03-workload-traces.md
  TrafficClass traffic_class = TrafficClass::dp;
  ReduceOp op = ReduceOp::sum;
  std::optional<DType> dtype;          ///< absent: the configuration's data.dtype
  std::optional<NpuId> root;           ///< reduce, broadcast, scatter, gather
  std::optional<NpuId> peer;           ///< send: `to`; recv: `from`
  std::int64_t tag = 0;                ///< send, recv
  std::optional<OperationId> partner;  ///< send: its recv; recv: its send
  Time duration;                       ///< compute given in ns
  double flops = 0;                    ///< compute given in flops (duration is then zero)
  std::string algorithm;               ///< empty: the configuration's
  std::string mode;                    ///< load, store: broadcast or shard
  std::vector<OperationId> after;      ///< parts at the same NPU that must have ended
  std::vector<OperationId> after_all;  ///< operations that must have ended everywhere
  std::uint32_t line = 0;              ///< of the trace file, for messages; 0 when not from a file
};

/// Everything that is replayed, checked: every reference resolves, every receive has its send, nothing is
/// cyclic.
struct Workload {
  std::string name;
  std::string source;  ///< the file, for messages
  std::uint32_t npus = 0;
  std::vector<Operation> operations;  ///< index = OperationId
};

/// Data that the network carries from a set of sources to a set of destinations as one stream of packets:
/// reduced if there are several sources, copied if there are several destinations (FRED sec. 5.1).
///
/// What needs more than one plane of a fabric is dealt out packet by packet to sub-flows, its stripes: packet
/// k goes to stripe k mod `stripes`. Each stripe is a flow of its own here, with its own sequence; their ids
/// follow each other.
struct Flow {
  OperationId operation;
  std::uint32_t part = 0;  ///< which flow of the operation: the shard, or the step and pair
  VirtualChannel vc = VirtualChannel::dp;
  Group sources;         ///< ascending
  Group destinations;    ///< ascending
  bool reduces = false;  ///< several sources whose elements are combined
  DType dtype = DType::fp16;
  ReduceOp op = ReduceOp::sum;
  std::uint64_t bytes = 0;    ///< element bytes the stream carries; of a stripe, its own share
  std::uint64_t packets = 0;  ///< of a stream of several messages; 0: `bytes` cut into full packets
  std::uint32_t stripe = 0;
  std::uint32_t stripes = 1;
  std::uint32_t plane = 0;  ///< of the level at which it turns around; 0 where there is but one
};

std::string_view to_string(TrafficClass);
std::string_view to_string(VirtualChannel);
std::string_view to_string(OperationType);
std::optional<TrafficClass> parse_traffic_class(std::string_view);
std::optional<OperationType> parse_operation_type(std::string_view);
/// Every name of a type, in the order of the enumeration, for messages.
const std::vector<std::string>& operation_type_names();

/// The elements of rank `r` of `ranks` when `count` elements are cut: floor(r n / N) to floor((r + 1) n / N).
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - begin; }
};
Range shard(std::uint64_t count, std::uint64_t ranks, std::uint64_t r);

}  // namespace fredsim::hw
