#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "accel/npu/endpoint_part.h"
#include "hw/core/records.h"

namespace fredsim::accel {

/// Packets an NPU injects for an operation, in this order: `bytes` of its source buffer from `first_byte` on.
/// Packet k belongs to flow `flow` + k mod `stripes`, as the k / `stripes`-th of that flow.
struct SendStream {
  hw::FlowId flow;
  std::uint64_t first_byte = 0;
  std::uint64_t bytes = 0;
  std::uint32_t stripes = 1;
};

/// Packets of one flow that an NPU expects for an operation. They fill the result buffer from `first_byte`
/// on, each at the offset that it carries; stripes interleave there.
struct ReceiveStream {
  hw::FlowId flow;
  std::uint64_t first_byte = 0;
  std::uint64_t bytes = 0;
  std::uint64_t packets = 0;
  std::uint32_t peer = 0;  ///< of an endpoint part: index into RankSteps::from
};

/// What one NPU does for one operation. It starts when every part in `after` has ended at this NPU and every
/// operation in `after_all` has ended everywhere; it ends when its last packet has left and its last packet
/// has arrived.
struct Part {
  hw::OperationId operation;
  hw::OperationType type = hw::OperationType::compute;
  hw::TrafficClass traffic_class = hw::TrafficClass::dp;
  hw::VirtualChannel vc = hw::VirtualChannel::dp;  ///< that of the class, or control for a barrier
  hw::DType dtype = hw::DType::fp16;
  hw::ReduceOp op = hw::ReduceOp::sum;
  std::uint32_t element_bytes = 1;  ///< 1 where nothing is reduced; a packet carries whole elements
  std::uint32_t members = 1;        ///< of the operation's group
  hw::Time duration;                ///< compute
  hw::Time start_delay;             ///< passes after its dependencies have ended (random pressure)
  std::vector<SendStream> sends;
  hw::Bandwidth pace;  ///< of these: injected no faster; zero: as fast as can be. Not of an endpoint part
  std::vector<ReceiveStream> receives;
  std::shared_ptr<const EndpointPart> endpoint;  ///< null unless the members carry it out among themselves
  std::vector<std::uint32_t> after;              ///< indices into Program::parts
  std::vector<hw::OperationId> after_all;
};

/// One NPU's share of a workload, parts in the plan's order. An NPU injects the parts of a traffic class in
/// it.
struct Program {
  hw::NpuId npu;
  std::vector<Part> parts;
  /// False: parts are injected as they become ready, which lets joins of streams deadlock. Only for showing
  /// that they do.
  bool in_order = true;
};

}  // namespace fredsim::accel
