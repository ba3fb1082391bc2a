#include "switch/fabric/fred_switch.h"

#include <fmt/format.h>

#include "hw/core/error.h"
#include "switch/fabric/compiled_interconnect.h"
#include "switch/fabric/micro_switch_interconnect.h"

namespace fredsim::sw {

FredSwitch::FredSwitch(sc_core::sc_module_name name, hw::Context& context, const SwitchConfig& config,
                       const SwitchPlan& plan, const SwitchParts& parts)
    : sc_module(name), config_(config), plan_(plan), structure_(plan.ports, plan.middle) {
  const std::string path = config_.path + ".interconnect";
  if (config_.abstraction == SwitchConfig::Abstraction::microswitch) {
    interconnect_ = std::make_unique<MicroSwitchInterconnect>(
        "interconnect", context, path, structure_, config_.hop_latency, config_.internal_bandwidth,
        parts.micro_switch ? parts.micro_switch : make_micro_switch);
  } else {
    interconnect_ = std::make_unique<CompiledInterconnect>(context, path, structure_, config_.hop_latency);
  }
  control_ = std::make_unique<ControlUnit>(
      "control", context, config_, structure_, plan_, ControlUnit::Ports{inputs_, outputs_}, *interconnect_,
      parts.arbiter ? parts.arbiter() : std::make_unique<PriorityArbiter>(config_.preemption));
  const hw::Time crossing = config_.hop_latency * structure_.stages();  // the same on every path
  for (std::uint32_t p = 0; p < structure_.ports(); ++p) {
    const PortConfig& port = config_.ports.at(p);
    if (!port.connected) {
      inputs_.emplace_back();
      outputs_.emplace_back();
      continue;
    }
    inputs_.push_back(std::make_unique<InputPort>(fmt::format("in{}", p).c_str(), context,
                                                  fmt::format("{}.in{}", config_.path, p), hw::PortId{p},
                                                  port.in_bandwidth, port.buffers, *control_));
    outputs_.push_back(std::make_unique<OutputPort>(
        fmt::format("out{}", p).c_str(), context, fmt::format("{}.out{}", config_.path, p), hw::PortId{p},
        port.out_bandwidth, port.receiver, config_.staging, crossing, *control_));
  }
}

void FredSwitch::no_port(hw::PortId port) const {
  throw hw::InternalError(fmt::format("{}: port {} is not connected", name(), port.value));
}

}  // namespace fredsim::sw
