#pragma once

#include <cstdint>
#include <functional>

namespace fredsim::hw {

/// A number that names one thing of one kind, so that a port cannot be passed where an NPU is meant.
template <class Tag>
struct Id {
  std::uint32_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t v) : value(v) {}
  friend constexpr bool operator==(Id a, Id b) { return a.value == b.value; }
  friend constexpr bool operator!=(Id a, Id b) { return a.value != b.value; }
  friend constexpr bool operator<(Id a, Id b) { return a.value < b.value; }
};

/// An accelerator of the system, counted from 0.
using NpuId = Id<struct NpuTag>;
/// A port of one switch, counted from 0; port p is both input p and output p.
using PortId = Id<struct PortTag>;
/// A flow of the whole fabric, an index into the plan's list of flows.
using FlowId = Id<struct FlowTag>;
/// An operation of the workload, counted in file order.
using OperationId = Id<struct OperationTag>;

}  // namespace fredsim::hw

template <class Tag>
struct std::hash<fredsim::hw::Id<Tag>> {
  std::size_t operator()(fredsim::hw::Id<Tag> id) const noexcept { return id.value; }
};
