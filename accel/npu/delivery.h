#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/core/ids.h"
#include "hw/core/quantity.h"

namespace fredsim::accel {

/// A packet's elements as they reach an NPU, published on its analysis port: they fill `bytes` of the
/// operation's result buffer at this NPU from `first_byte` on.
struct Delivery {
  /// As `flow`: what is delivered comes in an order of its own, not in that of a flow.
  static constexpr hw::FlowId in_no_order{UINT32_MAX};

  hw::NpuId npu;
  hw::OperationId operation;
  hw::FlowId flow;
  std::uint64_t first_byte = 0;
  std::uint32_t bytes = 0;
  const std::byte* data = nullptr;  ///< null in timing-only runs
  hw::Time at;                      ///< when the packet's tail arrives
};

}  // namespace fredsim::accel
