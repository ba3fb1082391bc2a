#include "tb/tests/system/faulty_npu.h"

#include <memory>
#include <utility>

namespace fredsim::tb::test {

Filter::Filter(sc_core::sc_module_name name, Passes packets, Passes credits)
    : sc_module(name),
      from_npu("from_npu", *this, outward),
      to_link("to_link", *this, outward),
      from_link("from_link", *this, inward),
      to_npu("to_npu", *this, inward),
      packets_(std::move(packets)),
      credits_(std::move(credits)) {}

void Filter::packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) {
  if (port == inward) {
    to_npu.send(payload, at);
  } else if (packets_(hw::header_of(payload))) {
    to_link.send(payload, at);
  }
}

void Filter::credit_returns(hw::PortId port, hw::Payload& payload, hw::Time at) {
  if (port == outward) {
    from_npu.credit(payload, at);
  } else if (credits_(hw::header_of(payload))) {
    from_link.credit(payload, at);
  }
}

FilteredNpu::FilteredNpu(sc_core::sc_module_name name, const accel::NpuConfig& config,
                         const accel::Program& program, const accel::NpuServices& services,
                         Filter::Passes packets, Filter::Passes credits)
    : NpuBase(name, config, program),
      npu_("npu", config, program, services),
      filter_("filter", std::move(packets), std::move(credits)) {
  npu_.out().bind(filter_.from_npu);
  filter_.to_npu.bind(npu_.in());
  npu_.delivered.bind(*this);
}

SilentNpu::SilentNpu(sc_core::sc_module_name name, const accel::NpuConfig& config,
                     const accel::Program& program)
    : NpuBase(name, config, program), out_("out", *this), in_("in", *this) {}

std::vector<accel::UnfinishedPart> SilentNpu::unfinished() const {
  std::vector<accel::UnfinishedPart> parts;
  for (const accel::Part& part : program().parts) {
    accel::UnfinishedPart unfinished;
    unfinished.operation = part.operation;
    unfinished.waits_for = "an engineer to write it";
    for (const accel::SendStream& stream : part.sends) unfinished.sending.push_back(stream.flow);
    for (const accel::ReceiveStream& stream : part.receives) unfinished.receiving.push_back(stream.flow);
    parts.push_back(unfinished);
  }
  return parts;
}

void SilentNpu::packet_arrives(hw::PortId, hw::Payload& payload, hw::Time at) {
  in_.credit(payload, at + config().bandwidth.time_for(hw::header_of(payload).wire_bytes));
}

Factories with_silent(std::uint32_t npu) {
  Factories factories;
  factories.npu = [npu](sc_core::sc_module_name name, const accel::NpuConfig& config,
                        const accel::Program& program,
                        const accel::NpuServices& services) -> std::unique_ptr<accel::NpuBase> {
    if (config.id.value != npu) return make_npu(name, config, program, services);
    return std::make_unique<SilentNpu>(name, config, program);
  };
  return factories;
}

Factories with_filter(std::uint32_t npu, Filter::Passes packets, Filter::Passes credits) {
  Factories factories;
  factories.npu = [=](sc_core::sc_module_name name, const accel::NpuConfig& config,
                      const accel::Program& program,
                      const accel::NpuServices& services) -> std::unique_ptr<accel::NpuBase> {
    if (config.id.value != npu) return make_npu(name, config, program, services);
    return std::make_unique<FilteredNpu>(name, config, program, services, packets, credits);
  };
  return factories;
}

}  // namespace fredsim::tb::test
