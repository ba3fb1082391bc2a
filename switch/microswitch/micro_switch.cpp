#include "switch/microswitch/micro_switch.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"

namespace fredsim::sw {
namespace {

bool several(std::uint32_t mask) {
  return (mask & (mask - 1)) != 0;
}

}  // namespace

MicroSwitch::MicroSwitch(sc_core::sc_module_name name, hw::Context& context, const MicroSwitchConfig& config,
                         const ActiveCircuit& active)
    : sc_module(name),
      context_(context),
      config_(config),
      active_(active),
      serialization_(config.bandwidth),
      latched_(config.inputs),
      activity_(context.recorder,
                hw::waveform_only(config.path + ".activity", "",
                                  "what the micro-switch does to the packet that streams through it",
                                  hw::ProbeKind::state)),
      idle_(activity_.state("idle")),
      pass_(activity_.state("pass")),
      reduce_(activity_.state("reduce")),
      copy_(activity_.state("copy")),
      reduce_copy_(activity_.state("reduce_copy")) {
  hw::PacketSink& sink = *this;
  hw::CreditSink& credit_sink = *this;
  for (std::uint32_t i = 0; i < config.inputs; ++i) {
    in.push_back(
        std::make_unique<hw::PacketTargetSocket>(fmt::format("in{}", i).c_str(), sink, hw::PortId{i}));
  }
  for (std::uint32_t o = 0; o < config.outputs; ++o) {
    out.push_back(std::make_unique<hw::PacketInitiatorSocket>(fmt::format("out{}", o).c_str(), credit_sink,
                                                              hw::PortId{o}));
  }
}

void MicroSwitch::load(CircuitId circuit, const MicroSwitchSetting& setting) {
  if ((setting.inputs >> config_.inputs) != 0 || (setting.outputs >> config_.outputs) != 0 ||
      (several(setting.inputs) && !can_reduce()) || (several(setting.outputs) && !can_copy())) {
    throw hw::InternalError(fmt::format("{}: a {} micro-switch cannot take inputs {:#b} to outputs {:#b}",
                                        name(), to_string(config_.kind), setting.inputs, setting.outputs));
  }
  if (circuit >= settings_.size()) settings_.resize(circuit + 1);
  settings_[circuit] = setting;
}

void MicroSwitch::packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) {
  const std::uint32_t bit = 1u << port.value;
  const MicroSwitchSetting setting =
      active_.id < settings_.size() ? settings_[active_.id] : MicroSwitchSetting{};
  if ((setting.inputs & bit) == 0 || (latched_inputs_ & bit) != 0) {
    throw hw::InternalError(fmt::format(
        "{} at {}: a packet of circuit {} came in at input {}, which {}", name(), to_string(at), active_.id,
        port.value, latched_inputs_ & bit ? "already holds an operand" : "it does not use"));
  }
  latched_[port.value] = hw::PacketRef(payload);
  latest_ = latched_inputs_ == 0 ? at : std::max(latest_, at);
  latched_inputs_ |= bit;
  if (latched_inputs_ != setting.inputs) return;

  latched_inputs_ = 0;
  operands_.clear();
  for (std::uint32_t i = 0; i < config_.inputs; ++i) {
    if (setting.inputs & (1u << i)) operands_.push_back(std::move(latched_[i]));
  }
  const hw::PacketRef result = process(operands_);
  operands_.clear();
  const std::uint64_t wire_bytes = result.header().wire_bytes;
  counts_.reductions += several(setting.inputs);
  if (several(setting.inputs)) {
    const hw::DType dtype = result.header().dtype;
    counts_.adds[static_cast<std::size_t>(dtype)] += elements_of(dtype, result->get_data_length());
  }
  counts_.distributions += several(setting.outputs);
  counts_.forwards += !several(setting.inputs) && !several(setting.outputs);
  if (activity_.recorded()) show(setting, wire_bytes, latest_);
  const hw::Time leaves = latest_ + config_.hop_latency;
  for (std::uint32_t o = 0; o < config_.outputs; ++o) {
    if (setting.outputs & (1u << o)) out[o]->send(*result, leaves);
  }
}

void MicroSwitch::show(const MicroSwitchSetting& setting, std::uint64_t wire_bytes, hw::Time at) {
  const std::int64_t doing = several(setting.inputs) ? (several(setting.outputs) ? reduce_copy_ : reduce_)
                                                     : (several(setting.outputs) ? copy_ : pass_);
  activity_.set(at, doing);
  activity_.set(at + serialization_.time_for(wire_bytes), idle_);
}

void MicroSwitch::credit_returns(hw::PortId, hw::Payload&, hw::Time at) {
  throw hw::InternalError(
      fmt::format("{} at {}: there are no credits between micro-switches", name(), to_string(at)));
}

}  // namespace fredsim::sw
