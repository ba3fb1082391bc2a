#include "tb/systems/collect.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <set>

#include "tb/systems/faults.h"

namespace fredsim::tb {
namespace {

void collect_operations(const hw::Workload& workload, const Plan& plan, const accel::OperationBoard& board,
                        Result& result) {
  for (std::uint32_t o = 0; o < workload.operations.size(); ++o) {
    const hw::Operation& operation = workload.operations[o];
    const accel::OperationBoard::Times& times = board[hw::OperationId{o}];
    OperationResult r;
    r.id = operation.id;
    r.type = operation.type;
    r.traffic_class = operation.traffic_class;
    r.npus = operation.npus;
    r.bytes = operation.bytes;
    r.padded_bytes = plan.operations[o].padded_bytes;
    r.started = times.started > 0;
    r.ended = times.has_ended();
    r.start = times.start;
    r.end = times.end;
    r.algorithm = std::string(plan.operations[o].algorithm);
    result.operations.push_back(std::move(r));
  }
}

void collect_flows(const hw::Workload& workload, const Plan& plan, const hw::Context& context,
                   Result& result) {
  for (std::uint32_t f = 0; f < plan.flows.size(); ++f) {
    const hw::Operation& operation = workload.operations[plan.flows[f].operation.value];
    result.flows.push_back(
        {flow_name(workload, plan, hw::FlowId{f}), operation.traffic_class, &context.flows[hw::FlowId{f}]});
  }
}

void collect_npus(const System& system, hw::Time end, Result& result) {
  for (const auto& npu : system.npus()) {
    NpuResult r;
    r.id = npu->config().id;
    r.times = npu->times(end);
    r.resends = npu->resend_counts();
    result.npus.push_back(r);
  }
}

void collect_links(const System& system, hw::Time end, Result& result) {
  for (const System::Wire& wire : system.wires()) {
    LinkResult r;
    r.name = wire.link->basename();
    r.traffic = wire.link->traffic(end);
    r.busy = wire.link->busy(end);
    if (const hw::LinkRetry* retry = wire.link->retry()) {
      r.resent = retry->resent();
      r.acks = retry->acks();
      r.nacks = retry->nacks();
      r.given_up = retry->given_up();
    }
    if (wire.sender) {
      r.no_credit = wire.sender->stalled_no_credit(end);
      r.link_busy = wire.sender->stalled_link_busy(end);
      for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
        r.peak_outstanding[vc] = wire.sender->peak_outstanding(static_cast<hw::VirtualChannel>(vc), end);
      }
    }
    const std::uint64_t bytes = r.traffic.bytes + r.traffic.control_bytes;
    const std::uint64_t packets = r.traffic.packets + r.traffic.control_packets;
    result.performance.packet_hops += packets;
    if (wire.from_npu) {
      result.npus[wire.from_npu->value].sent_bytes += bytes;
      result.npus[wire.from_npu->value].sent_packets += packets;
    }
    if (wire.to_npu) {
      result.npus[wire.to_npu->value].received_bytes += bytes;
      result.npus[wire.to_npu->value].received_packets += packets;
    }
    result.links.push_back(std::move(r));
  }
}

void collect_buffers(const System& system, hw::Time end, Result& result) {
  const auto add = [&](const hw::VcBuffer& buffer) {
    result.buffers.push_back(
        {buffer.name(), buffer.vc(), buffer.capacity(), buffer.occupancy(end), buffer.histogram(end)});
  };
  for (const auto& s : system.switches()) {
    for (std::uint32_t p = 0; p < s->structure().ports(); ++p) {
      if (!s->connected(hw::PortId{p})) continue;
      for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
        add(s->input(hw::PortId{p}).buffer(static_cast<hw::VirtualChannel>(vc)));
      }
    }
  }
  for (const auto& router : system.routers()) {
    for (std::size_t p = 0; p < sw::mesh_ports; ++p) {
      for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
        add(router->buffer(static_cast<sw::Side>(p), static_cast<hw::VirtualChannel>(vc)));
      }
    }
  }
  for (const auto& npu : system.npus()) {
    for (const hw::VcBuffer* buffer : npu->buffers()) add(*buffer);
  }
  for (const auto& io : system.io_controllers()) {
    for (const hw::VcBuffer* buffer : io->buffers()) add(*buffer);
  }
}

void collect_switches(const System& system, hw::Time end, Result& result) {
  for (const auto& s : system.switches()) {
    SwitchResult r;
    r.name = s->config().path;
    r.counts = s->micro_switch_counts();
    r.statistics = s->statistics(end);
    r.nacks = s->nacks();
    r.route_sets = s->plan().route_sets.size() - 1;
    r.route_bits = s->structure().route_bits();
    result.switches.push_back(std::move(r));
  }
  for (const auto& router : system.routers()) {
    SwitchResult r;
    r.name = router->config().path;
    r.counts.forwards = router->statistics().forwards;
    r.counts.distributions = router->statistics().copies;
    result.switches.push_back(std::move(r));
  }
}

}  // namespace

Work work_of(const System& system, hw::Time end) {
  std::set<std::string> switches, routers;
  Work work;
  const auto sum = [](hw::AddCounts& into, const hw::AddCounts& more) {
    for (std::size_t d = 0; d < hw::dtypes; ++d) into[d] += more[d];
  };
  for (const auto& s : system.switches()) {
    switches.insert(s->config().path);
    sum(work.switch_adds, s->micro_switch_counts().adds);
  }
  for (const auto& router : system.routers()) routers.insert(router->config().path);
  for (const auto& npu : system.npus()) sum(work.npu_adds, npu->adds());
  for (const System::Wire& wire : system.wires()) {
    const hw::Link::Traffic traffic = wire.link->traffic(end);
    const std::uint64_t bytes = traffic.bytes + traffic.control_bytes;
    if (switches.count(wire.to) > 0) work.switch_bytes += bytes;
    if (routers.count(wire.to) > 0) work.router_bytes += bytes;
  }
  return work;
}

void collect(const System& system, const hw::Workload& workload, const Plan& plan,
             const accel::OperationBoard& board, const hw::Context& context, hw::Time end, Result& result) {
  result.simulated = end;
  collect_operations(workload, plan, board, result);
  collect_flows(workload, plan, context, result);
  collect_npus(system, end, result);
  collect_links(system, end, result);
  collect_buffers(system, end, result);
  collect_switches(system, end, result);
  result.performance.kernel_events = context.kernel_events;
  result.performance.packets_allocated = context.packets.allocated();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  result.performance.peak_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace fredsim::tb
