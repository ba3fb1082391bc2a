#include "tb/plan/programs.h"

#include <algorithm>
#include <limits>

#include "tb/plan/endpoint_streams.h"
#include "tb/plan/expected_traffic.h"
#include "tb/plan/switch_traffic.h"

namespace fredsim::tb {
namespace {

class ProgramMaker {
 public:
  ProgramMaker(const hw::Workload& workload, const Order& order, const std::vector<PlannedOperation>& planned,
               const Spread& spread, const PlanOptions& options)
      : workload_(workload),
        order_(order),
        planned_(planned),
        spread_(spread),
        options_(options),
        at_npu_(spread.npus() + spread.io_controllers(), none) {}

  Traffic run() {
    lay_out_parts();
    for (const hw::OperationId o : order_.operations) {
      enter(o);
      describe(o);
      connect(o);
      carry(o);
      leave(o);
    }
    return std::move(traffic_);
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  const hw::Operation& operation(hw::OperationId o) const { return workload_.operations[o.value]; }
  accel::Part& part(hw::NpuId npu, std::uint32_t index) { return traffic_.programs[npu.value].parts[index]; }

  /// Controllers take part in all loads, in the plan's order.
  void lay_out_controllers() {
    loads_.resize(workload_.operations.size(), none);
    std::uint32_t loads = 0;
    for (const hw::OperationId o : order_.operations) {
      if (operation(o).type == hw::OperationType::load) loads_[o.value] = loads++;
    }
    for (std::uint32_t c = spread_.npus(); c < traffic_.programs.size(); ++c) {
      traffic_.programs[c].npu = hw::NpuId(c);
      traffic_.programs[c].in_order = options_.keep_order;
      traffic_.programs[c].parts.resize(loads);
    }
  }

  /// What the controllers do for a load: they start when all that it depends on has ended everywhere.
  void describe_load(hw::OperationId o) {
    for (std::uint32_t c = spread_.npus(); c < traffic_.programs.size(); ++c) {
      accel::Part& p = part(hw::NpuId(c), loads_[o.value]);
      p.operation = o;
      p.type = hw::OperationType::load;
      p.traffic_class = operation(o).traffic_class;
      p.vc = hw::channel_of(operation(o).traffic_class);
      p.after_all = operation(o).after_all;
      for (const hw::OperationId before : operation(o).after) {
        if (loads_[before.value] != none) {
          p.after.push_back(loads_[before.value]);
        } else {
          p.after_all.push_back(before);
        }
      }
      std::sort(p.after.begin(), p.after.end());
      std::sort(p.after_all.begin(), p.after_all.end());
      p.after_all.erase(std::unique(p.after_all.begin(), p.after_all.end()), p.after_all.end());
      if (operation(o).mode != "shard") p.pace = spread_.broadcast_pace();
    }
  }

  void lay_out_parts() {
    traffic_.programs.resize(spread_.npus() + spread_.io_controllers());
    lay_out_controllers();
    index_.resize(workload_.operations.size());
    for (std::size_t o = 0; o < index_.size(); ++o)
      index_[o].resize(workload_.operations[o].npus.size(), none);
    for (std::uint32_t n = 0; n < spread_.npus(); ++n) {
      accel::Program& program = traffic_.programs[n];
      program.npu = hw::NpuId(n);
      program.in_order = options_.keep_order;
      if (n >= order_.of_npu.size()) continue;
      program.parts.resize(order_.of_npu[n].size());
      for (std::uint32_t i = 0; i < program.parts.size(); ++i) {
        const hw::OperationId o = order_.of_npu[n][i];
        const hw::Group& group = operation(o).npus;
        const auto rank = std::find(group.begin(), group.end(), program.npu) - group.begin();
        index_[o.value][static_cast<std::size_t>(rank)] = i;
        program.parts[i].operation = o;
      }
    }
  }

  /// Between enter(o) and leave(o), at_npu_ tells the index of o's part at each NPU.
  void enter(hw::OperationId o) {
    const hw::Group& group = operation(o).npus;
    for (std::size_t r = 0; r < group.size(); ++r) at_npu_[group[r].value] = index_[o.value][r];
    for (std::size_t c = spread_.npus(); c < at_npu_.size(); ++c) at_npu_[c] = loads_[o.value];
  }
  void leave(hw::OperationId o) {
    for (const hw::NpuId npu : operation(o).npus) at_npu_[npu.value] = none;
  }

  void describe(hw::OperationId o) {
    if (operation(o).type == hw::OperationType::load) describe_load(o);
    const hw::Time duration = compute_time(workload_, o, options_);
    for (const hw::NpuId npu : operation(o).npus) {
      accel::Part& p = part(npu, at_npu_[npu.value]);
      p.type = operation(o).type;
      p.traffic_class = operation(o).traffic_class;
      p.vc = p.type == hw::OperationType::barrier ? hw::VirtualChannel::control
                                                  : hw::channel_of(operation(o).traffic_class);
      p.dtype = planned_[o.value].dtype;
      p.op = operation(o).op;
      p.element_bytes = planned_[o.value].element_bytes;
      p.members = static_cast<std::uint32_t>(operation(o).npus.size());
      p.duration = duration;
      p.after_all = operation(o).after_all;
    }
  }

  void connect(hw::OperationId o) {
    for (const hw::OperationId before : operation(o).after) {
      const hw::Group& group = operation(before).npus;
      for (std::size_t r = 0; r < group.size(); ++r) {
        const std::uint32_t own = at_npu_[group[r].value];
        if (own != none) part(group[r], own).after.push_back(index_[before.value][r]);
      }
    }
    for (const hw::NpuId npu : operation(o).npus) {
      std::vector<std::uint32_t>& after = part(npu, at_npu_[npu.value]).after;
      std::sort(after.begin(), after.end());
      after.erase(std::unique(after.begin(), after.end()), after.end());
    }
  }

  void carry(hw::OperationId o) {
    const PlannedOperation& planned = planned_[o.value];
    if (planned.endpoint) return carry_steps(o);
    const bool load = operation(o).type == hw::OperationType::load;
    for (const Transfer& transfer :
         load ? spread_.load_transfers(operation(o), o) : transfers_of(workload_, o, planned)) {
      const hw::FlowId first(static_cast<std::uint32_t>(traffic_.flows.size()));
      const std::vector<hw::Flow> flows = stripes_of(transfer.flow);
      for (const hw::NpuId npu : transfer.flow.sources) {
        if (npu.value >= spread_.npus()) part(npu, at_npu_[npu.value]).vc = transfer.flow.vc;
        part(npu, at_npu_[npu.value])
            .sends.push_back({first, transfer.source_begin, transfer.flow.bytes,
                              static_cast<std::uint32_t>(flows.size())});
      }
      for (std::uint32_t s = 0; s < flows.size(); ++s) {
        const std::uint64_t packets = packets_of(flows[s], options_.packet);
        for (const hw::NpuId npu : transfer.flow.destinations) {
          receiver(o, npu).receives.push_back(
              {hw::FlowId(first.value + s), transfer.result_begin, flows[s].bytes, packets, 0});
        }
      }
      traffic_.flows.insert(traffic_.flows.end(), flows.begin(), flows.end());
    }
  }

  void carry_steps(hw::OperationId o) {
    const PlannedOperation& planned = planned_[o.value];
    const accel::CollectiveRequest& request = planned.endpoint->request;
    const hw::Group& group = operation(o).npus;
    const std::vector<EndpointStream> streams = endpoint_streams(operation(o), o, planned, options_.packet);
    const std::vector<hw::Bandwidth> pace = pace_of_streams(request.algorithm, streams);
    std::vector<std::shared_ptr<accel::EndpointPart>> parts;
    for (std::uint32_t r = 0; r < group.size(); ++r) {
      auto own = std::make_shared<accel::EndpointPart>();
      own->steps = {planned.endpoint, &planned.endpoint->ranks[r]};
      own->ends = accel::ends_of(request, r);
      parts.push_back(own);
      part(group[r], at_npu_[group[r].value]).endpoint = own;
    }
    for (std::size_t i = 0; i < streams.size(); ++i) {
      const EndpointStream& stream = streams[i];
      const hw::NpuId from = group[stream.from];
      const hw::NpuId to = group[stream.to];
      const hw::FlowId first(static_cast<std::uint32_t>(traffic_.flows.size()));
      const PlaneRange planes = spread_.planes_of(stream.flow);
      std::vector<hw::Flow> flows =
          tb::stripes_of(stream, planned.element_bytes, planes.count, options_.packet);
      parts[stream.from]->pace.push_back(pace[i]);
      part(from, at_npu_[from.value])
          .sends.push_back({first, 0, stream.flow.bytes, static_cast<std::uint32_t>(flows.size())});
      for (std::uint32_t s = 0; s < flows.size(); ++s) {
        flows[s].plane = planes.first + (first.value + s) % planes.count;
        part(to, at_npu_[to.value])
            .receives.push_back(
                {hw::FlowId(first.value + s), 0, flows[s].bytes, flows[s].packets, stream.peer_of_receiver});
      }
      traffic_.flows.insert(traffic_.flows.end(), flows.begin(), flows.end());
    }
  }

  /// Of recursive halving and doubling only a part of the streams is under way at once: not paced.
  std::vector<hw::Bandwidth> pace_of_streams(accel::Algorithm algorithm,
                                             const std::vector<EndpointStream>& streams) const {
    if (algorithm == accel::Algorithm::halving_doubling) return std::vector<hw::Bandwidth>(streams.size());
    std::vector<std::pair<hw::NpuId, hw::NpuId>> pairs;
    for (const EndpointStream& stream : streams)
      pairs.emplace_back(stream.flow.sources.front(), stream.flow.destinations.front());
    return spread_.pace_of(pairs);
  }

  /// One flow for each plane that a stream is dealt out to.
  std::vector<hw::Flow> stripes_of(const hw::Flow& stream) const {
    const auto [first, planes] = spread_.planes_of(stream);
    const std::uint64_t packets = packets_of(stream, options_.packet);
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(packets, planes));
    const std::uint64_t payload = options_.packet.payload(element_bytes_of(stream));
    // Unicasts of few packets start at different planes, so that they do not all take the first.
    const std::uint64_t start = kind_of(stream) == FlowKind::unicast ? traffic_.flows.size() : 0;
    std::vector<hw::Flow> flows(count, stream);
    for (std::uint32_t s = 0; s < count; ++s) {
      hw::Flow& flow = flows[s];
      flow.stripe = s;
      flow.stripes = count;
      flow.plane = first + static_cast<std::uint32_t>((start + s) % planes);
      if (flow.vc == hw::VirtualChannel::control) continue;
      flow.bytes = (packets - s + count - 1) / count * payload;
      if ((packets - 1) % count == s) flow.bytes -= packets * payload - stream.bytes;
    }
    return flows;
  }

  /// The part that takes what operation `o` delivers at `npu`: its own there, for a send that of its receive.
  accel::Part& receiver(hw::OperationId o, hw::NpuId npu) {
    if (operation(o).type != hw::OperationType::send) return part(npu, at_npu_[npu.value]);
    return part(npu, index_[operation(o).partner->value].front());
  }

  const hw::Workload& workload_;
  const Order& order_;
  const std::vector<PlannedOperation>& planned_;
  const Spread& spread_;
  const PlanOptions& options_;
  Traffic traffic_;
  std::vector<std::vector<std::uint32_t>>
      index_;  ///< of operation, of rank: the part's index in the NPU's program
  std::vector<std::uint32_t> at_npu_;
  std::vector<std::uint32_t> loads_;  ///< of operation: the part's index at every controller
};

}  // namespace

Traffic make_traffic(const hw::Workload& workload, const Order& order,
                     const std::vector<PlannedOperation>& planned, const Spread& spread,
                     const PlanOptions& options) {
  return ProgramMaker(workload, order, planned, spread, options).run();
}

}  // namespace fredsim::tb
