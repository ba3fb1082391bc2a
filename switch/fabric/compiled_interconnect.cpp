#include "switch/fabric/compiled_interconnect.h"

#include "hw/link/sim_time.h"

namespace fredsim::sw {

CompiledInterconnect::CompiledInterconnect(hw::Context& context, const std::string& path,
                                           const Structure& structure, hw::Time hop_latency)
    : structure_(structure), latency_(hop_latency * structure.stages()), alu_(context, path) {}

void CompiledInterconnect::lay(CircuitId circuit, const PortFlow& flow, const Route& route) {
  if (circuit >= circuits_.size()) circuits_.resize(circuit + 1);
  Circuit& laid = circuits_[circuit];
  laid.outputs = flow.outputs;
  laid.order.clear();
  laid.operand_of.assign(structure_.ports(), 0);
  for (std::size_t i = 0; i < flow.inputs.size(); ++i) laid.operand_of[flow.inputs[i].value] = i;
  if (flow.inputs.size() > 1) laid.order = reduction_order(flow.inputs);
  laid.per_packet = {};
  for (const ElementSetting& setting : settings(structure_, flow, route)) {
    const ElementKind kind = structure_.elements()[setting.element].kind;
    if (kind == ElementKind::demux || kind == ElementKind::mux) continue;
    laid.per_packet.reductions += setting.reduces();
    laid.per_packet.distributions += setting.distributes();
    laid.per_packet.forwards += !setting.reduces() && !setting.distributes();
  }
}

hw::PacketRef CompiledInterconnect::reduce(const Circuit& circuit,
                                           const std::vector<hw::PacketRef>& operands) {
  stack_.clear();
  for (const ReductionStep& step : circuit.order) {
    if (step.kind == ReductionStep::Kind::operand) {
      stack_.push_back(operands[circuit.operand_of[step.port.value]]);
    } else {
      const hw::PacketRef right = std::move(stack_.back());
      stack_.pop_back();
      stack_.back() = alu_.reduce(*stack_.back(), *right);
    }
  }
  hw::PacketRef sum = std::move(stack_.back());
  stack_.clear();
  return sum;
}

void CompiledInterconnect::fire(CircuitId circuit_id, const std::vector<hw::PacketRef>& operands,
                                std::vector<Emergence>& emerged) {
  const Circuit& circuit = circuits_[circuit_id];
  const hw::PacketRef result = circuit.order.empty() ? operands[0] : reduce(circuit, operands);
  const hw::Time leaves = hw::now() + latency_;
  for (const hw::PortId output : circuit.outputs) emerged.push_back({leaves, output, result});
  counts_.reductions += circuit.per_packet.reductions;
  counts_.distributions += circuit.per_packet.distributions;
  counts_.forwards += circuit.per_packet.forwards;
  if (circuit.per_packet.reductions == 0) return;
  const hw::DType dtype = result.header().dtype;
  counts_.adds[static_cast<std::size_t>(dtype)] +=
      circuit.per_packet.reductions * elements_of(dtype, result->get_data_length());
}

}  // namespace fredsim::sw
