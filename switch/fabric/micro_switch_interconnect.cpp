#include "switch/fabric/micro_switch_interconnect.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"

namespace fredsim::sw {
namespace {

/// "m2.r0" names a waveform scope in a scope; a SystemC name must not contain dots.
std::string module_name(std::string element) {
  std::replace(element.begin(), element.end(), '.', '_');
  return element;
}

}  // namespace

MicroSwitchInterconnect::MicroSwitchInterconnect(sc_core::sc_module_name name, hw::Context& context,
                                                 const std::string& path, const Structure& structure,
                                                 hw::Time hop_latency, hw::Bandwidth bandwidth,
                                                 const MicroSwitchFactory& factory)
    : sc_module(name), structure_(structure) {
  for (const Element& element : structure_.elements()) {
    MicroSwitchConfig config;
    config.path = path + "." + element.name;
    config.kind = element.kind;
    config.inputs = element.inputs;
    config.outputs = element.outputs;
    config.hop_latency = hop_latency;
    config.bandwidth = bandwidth;
    elements_.push_back(factory(module_name(element.name).c_str(), context, config, active_));
  }
  hw::PacketSink& sink = *this;
  hw::CreditSink& credit_sink = *this;
  for (std::uint32_t p = 0; p < structure_.ports(); ++p) {
    entries_.push_back(std::make_unique<hw::PacketInitiatorSocket>(fmt::format("entry{}", p).c_str(),
                                                                   credit_sink, hw::PortId{p}));
    exits_.push_back(
        std::make_unique<hw::PacketTargetSocket>(fmt::format("exit{}", p).c_str(), sink, hw::PortId{p}));
  }
  for (std::uint32_t p = 0; p < structure_.ports(); ++p) {
    const Terminal& first = structure_.input_to()[p];
    entries_[p]->bind(*elements_[first.element]->in[first.port]);
  }
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const std::vector<Terminal>& wires = structure_.elements()[e].output_to;
    for (std::size_t o = 0; o < wires.size(); ++o) {
      hw::PacketTargetSocket& end = wires[o].is_switch_port()
                                        ? *exits_[wires[o].port]
                                        : *elements_[wires[o].element]->in[wires[o].port];
      elements_[e]->out[o]->bind(end);
    }
  }
}

void MicroSwitchInterconnect::lay(CircuitId circuit, const PortFlow& flow, const Route& route) {
  if (circuit >= circuits_.size()) circuits_.resize(circuit + 1);
  Circuit& laid = circuits_[circuit];
  for (const ElementSetting& old : laid.settings) elements_[old.element]->load(circuit, {});
  laid.inputs = flow.inputs;
  laid.settings = settings(structure_, flow, route);
  for (const ElementSetting& setting : laid.settings) {
    elements_[setting.element]->load(circuit, {setting.inputs, setting.outputs});
  }
}

void MicroSwitchInterconnect::fire(CircuitId circuit, const std::vector<hw::PacketRef>& operands,
                                   std::vector<Emergence>& emerged) {
  const hw::Time at = hw::now();
  active_.id = circuit;
  emerged_ = &emerged;
  const std::vector<hw::PortId>& inputs = circuits_[circuit].inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) entries_[inputs[i].value]->send(*operands[i], at);
  emerged_ = nullptr;
}

void MicroSwitchInterconnect::packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) {
  emerged_->push_back({at, port, hw::PacketRef(payload)});
}

void MicroSwitchInterconnect::credit_returns(hw::PortId, hw::Payload&, hw::Time at) {
  throw hw::InternalError(
      fmt::format("{} at {}: there are no credits between micro-switches", name(), to_string(at)));
}

MicroSwitchCounts MicroSwitchInterconnect::counts() const {
  MicroSwitchCounts sum;
  for (const auto& element : elements_) {
    if (element->config().kind == ElementKind::demux || element->config().kind == ElementKind::mux) continue;
    sum.reductions += element->counts().reductions;
    sum.distributions += element->counts().distributions;
    sum.forwards += element->counts().forwards;
    for (std::size_t d = 0; d < hw::dtypes; ++d) sum.adds[d] += element->counts().adds[d];
  }
  return sum;
}

}  // namespace fredsim::sw
