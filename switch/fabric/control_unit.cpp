#include "switch/fabric/control_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/core/error.h"
#include "hw/link/reliability.h"

namespace fredsim::sw {

ControlUnit::ControlUnit(sc_core::sc_module_name name, hw::Context& context, const SwitchConfig& config,
                         const Structure& structure, const SwitchPlan& plan, Ports ports,
                         Interconnect& interconnect, std::unique_ptr<Arbiter> arbiter)
    : sc_module(name),
      context_(context),
      config_(config),
      ports_(ports),
      interconnect_(interconnect),
      arbiter_(std::move(arbiter)),
      internal_(config.internal_bandwidth),
      control_packets_(context, config.path + ".control", plan, config.hop_latency * structure.stages()),
      crossing_(config.hop_latency * structure.stages()),
      circuits_(structure, plan, interconnect),
      memory_(plan.route_sets.size(), config.route_sets_in_memory),
      turns_(structure.ports()),
      stalls_(context, config.path + ".control", statistics_),
      last_flow_(structure.ports()),
      input_free_(structure.ports()),
      output_free_(structure.ports()),
      route_set_probe_(context.recorder, hw::waveform_only(config.path + ".control.route_set", "",
                                                           "route set being served", hw::ProbeKind::number)),
      class_probe_(
          context.recorder,
          hw::waveform_only(config.path + ".control.traffic_class", "",
                            "class of the packet that entered the interconnect last", hw::ProbeKind::state)),
      streaming_probe_(context.recorder, hw::waveform_only(config.path + ".control.streaming", "flows",
                                                           "flows of which a packet leaves the input buffers",
                                                           hw::ProbeKind::level)),
      preemptions_probe_(context.recorder,
                         hw::waveform_only(config.path + ".control.preemptions", "",
                                           "changes of the route set while a lower class could have gone on",
                                           hw::ProbeKind::number)),
      reconfiguring_probe_(
          context.recorder,
          hw::waveform_only(config.path + ".control.reconfiguring", "",
                            "the interconnect is drained and changes its route set", hw::ProbeKind::flag)),
      reconfiguring_state_(class_probe_.state("reconfiguring")) {
  for (std::size_t c = 0; c < hw::traffic_classes; ++c) {
    class_states_[c] = class_probe_.state(to_string(static_cast<hw::TrafficClass>(c)));
  }
  flows_.reserve(plan.flows.size());
  for (const SwitchFlow& flow : plan.flows) {
    if (flow.vc == hw::VirtualChannel::control) continue;
    flows_.emplace_back().plan = &flow;
    flow_ids_.push_back(flow.flow);
    circuits_.add(flow);
    turns_.add(flow);
    stalls_.add(flow.vc);
  }
  if (context.reliable) {
    reliable_ = std::make_unique<ReliableFlows>("reliable_flows", context, plan, ports.inputs,
                                                static_cast<ReliableFlows::Host&>(*this));
  }
  SC_HAS_PROCESS(ControlUnit);
  SC_METHOD(serve);
  sensitive << serve_event_;
  dont_initialize();
}

std::size_t ControlUnit::index_of(hw::FlowId flow, hw::PortId port, hw::VirtualChannel vc) {
  LastFlow& last = last_flow_[port.value][hw::index(vc)];
  if (last.flow != flow) {
    const auto found = std::lower_bound(flow_ids_.begin(), flow_ids_.end(), flow);
    if (found == flow_ids_.end() || *found != flow) {
      throw hw::InternalError(
          fmt::format("{} at {}: port {} holds a packet of flow {}, which is not in the plan of this switch",
                      name(), to_string(hw::now()), port.value, flow.value));
    }
    const auto comes_in = [&](std::size_t index) {
      const SwitchFlow& known = *flows_[index].plan;
      return known.vc == vc && std::binary_search(known.ports.inputs.begin(), known.ports.inputs.end(), port);
    };
    auto index = static_cast<std::size_t>(found - flow_ids_.begin());
    while (!comes_in(index)) {
      if (++index < flows_.size() && flow_ids_[index] == flow) continue;
      throw hw::InternalError(fmt::format(
          "{} at {}: port {} holds a packet of flow {} on vc {}, where that flow does not come in", name(),
          to_string(hw::now()), port.value, flow.value, to_string(vc)));
    }
    last = {flow, index};
  }
  return last.index;
}

void ControlUnit::head_exposed(hw::PortId port, hw::VirtualChannel vc) {
  if (reliable_) return reliable_->exposed(port, vc);
  count_head(port, vc);
}

void ControlUnit::count_head(hw::PortId port, hw::VirtualChannel vc) {
  InputPort& input = *ports_.inputs[port.value];
  const hw::Payload& packet = input.buffer(vc).front();
  const hw::PacketHeader& header = hw::header_of(packet);
  const std::size_t index = index_of(header.flow, port, vc);
  FlowState& flow = flows_[index];
  const hw::Time visible = std::max(input.buffer(vc).front_arrival(), input_free_[port.value]);
  const hw::Time streams = std::max(visible, input.tail_arrival(vc) - internal_.time_for(header.wire_bytes));
  if (flow.heads == 0) {
    flow.first_head = flow.last_head = visible;
    flow.earliest = streams;
  } else {
    flow.first_head = std::min(flow.first_head, visible);
    flow.last_head = std::max(flow.last_head, visible);
    flow.earliest = std::max(flow.earliest, streams);
  }
  if (++flow.heads < flow.plan->ports.inputs.size()) {
    if (stalls_.watched(StallCause::partner)) stalls_.begin(index, StallCause::partner, visible);
    return;
  }
  stalls_.settle(index, flow.last_head);
  for (const hw::PortId output : flow.plan->ports.outputs) {
    flow.earliest = std::max(flow.earliest, output_free_[output.value]);
  }
  flow.armed = true;
  armed_.push_back(index);
  wake(flow.earliest);
}

void ControlUnit::control_arrives(hw::PortId port, const hw::Payload& payload, hw::Time at) {
  if (reliable_) {
    const hw::PacketHeader& header = hw::header_of(payload);
    if (header.damaged) return;
    if (header.kind != hw::PacketKind::payload) return reliable_->control_arrives(port, header, at);
  }
  control_packets_.arrives(port, payload, at, emerged_);
  hand_over();
}

void ControlUnit::room_freed(hw::Time from) {
  if (waiting_for_room_) wake(from);
}

void ControlUnit::wake(hw::Time at) {
  serve_event_.notify(hw::to_sc(std::max(at - hw::now(), hw::Time())));
}

void ControlUnit::serve() {
  ++context_.kernel_events;
  const hw::Time at = hw::now();
  close_paths();
  find_candidates();
  if (candidates_.empty()) return;
  if (at < usable_from_) return wake(usable_from_);
  const Candidate& chosen = candidates_[arbiter_->choose(candidates_, route_set_)];
  if (chosen.route_set != route_set_ && !change_route_set(chosen.route_set, chosen)) return;
  fire_candidates();
}

void ControlUnit::find_candidates() {
  const hw::Time at = hw::now();
  candidates_.clear();
  candidate_flows_.clear();
  waiting_for_room_ = false;
  for (const std::size_t index : armed_) {
    FlowState& flow = flows_[index];
    if (flow.earliest > at) {
      wake(flow.earliest);
    } else if (!turns_.has_turn(index)) {
      stalls_.begin(index, StallCause::turn, at);
    } else if (!has_room(flow)) {
      waiting_for_room_ = true;
      stalls_.begin(index, StallCause::staging, at);
    } else {
      candidates_.push_back(
          {flow.plan->flow, flow.plan->vc, circuits_.route_set_of(index, route_set_), flow.earliest});
      candidate_flows_.push_back(index);
    }
  }
}

bool ControlUnit::has_room(const FlowState& flow) {
  const hw::Time at = hw::now();
  hw::Time next = at;
  bool all = true;
  for (const hw::PortId port : flow.plan->ports.outputs) {
    OutputPort& output = *ports_.outputs[port.value];
    if (output.has_room(flow.plan->vc, at)) continue;
    all = false;
    if (const auto room = output.next_room(flow.plan->vc)) next = std::max(next, *room);
  }
  if (!all && next > at) wake(next);
  return all;
}

/// Whether the switch serves `to` now. If not, it wakes when the interconnect has drained or is configured.
bool ControlUnit::change_route_set(std::uint32_t to, const Candidate& chosen) {
  const hw::Time at = hw::now();
  for (const std::size_t index : candidate_flows_) {
    if (circuits_.route_set_of(index, route_set_) != route_set_) {
      stalls_.begin(index, StallCause::route_set, at);
    }
  }
  if (at < drained_at_) {
    wake(drained_at_);
    return false;
  }
  for (const Candidate& candidate : candidates_) {
    if (candidate.route_set == route_set_ && hw::index(candidate.vc) > hw::index(chosen.vc)) {
      ++statistics_.preemptions;
      if (preemptions_probe_.recorded()) {
        preemptions_probe_.set(at, static_cast<std::int64_t>(statistics_.preemptions));
      }
      break;
    }
  }
  route_set_ = to;
  usable_from_ = at + config_.reconfiguration;
  if (memory_.use(to)) {
    usable_from_ += config_.route_load;
    ++statistics_.route_loads;
    statistics_.loading += config_.route_load;
  }
  ++statistics_.reconfigurations;
  statistics_.reconfiguring += config_.reconfiguration;
  if (class_probe_.recorded()) class_probe_.set(at, reconfiguring_state_);
  if (route_set_probe_.recorded()) route_set_probe_.set(usable_from_, route_set_);
  if (usable_from_ == at) return true;
  if (reconfiguring_probe_.recorded()) {
    reconfiguring_probe_.set(at, 1);
    reconfiguring_probe_.set(usable_from_, 0);
  }
  wake(usable_from_);
  return false;
}

void ControlUnit::fire_candidates() {
  const hw::Time at = hw::now();
  // Flows of a route set have ports of their own, but operations of two classes can share a flow, and
  // unicasts of route set 0 compete: the higher class, then the longer wait, then the lower port goes first.
  std::sort(candidate_flows_.begin(), candidate_flows_.end(), [this](std::size_t a, std::size_t b) {
    const FlowState& x = flows_[a];
    const FlowState& y = flows_[b];
    if (x.plan->vc != y.plan->vc) return hw::index(x.plan->vc) < hw::index(y.plan->vc);
    if (x.last_head != y.last_head) return x.last_head < y.last_head;
    return x.plan->ports.inputs.front() < y.plan->ports.inputs.front();
  });
  bool others_wait = false;
  for (const std::size_t index : candidate_flows_) {
    FlowState& flow = flows_[index];
    if (circuits_.route_set_of(index, route_set_) != route_set_) {
      stalls_.begin(index, StallCause::route_set, at);
      others_wait = true;
    } else if (ports_free(flow) && (route_set_ != 0 || open_path(index))) {
      fire(index);
    }
  }
  if (others_wait) wake(drained_at_);  // unless what is served has more by then, it is their turn
}

bool ControlUnit::ports_free(FlowState& flow) {
  hw::Time free;
  for (const hw::PortId port : flow.plan->ports.inputs) free = std::max(free, input_free_[port.value]);
  for (const hw::PortId port : flow.plan->ports.outputs) free = std::max(free, output_free_[port.value]);
  if (free <= hw::now()) return true;
  flow.earliest = free;
  wake(free);
  return false;
}

bool ControlUnit::open_path(std::size_t index) {
  if (circuits_.open(flows_[index].plan->ports)) return true;
  // Possible with m = 2 only; whichever path ends next may free what it needs.
  stalls_.begin(index, StallCause::route_set, hw::now());
  for (std::uint32_t p = 0; p < input_free_.size(); ++p) {
    if (circuits_.is_open(hw::PortId{p})) wake(input_free_[p]);
  }
  return false;
}

void ControlUnit::close_paths() {
  if (!circuits_.any_open()) return;
  for (std::uint32_t p = 0; p < input_free_.size(); ++p) {
    if (circuits_.is_open(hw::PortId{p}) && input_free_[p] <= hw::now()) circuits_.close(hw::PortId{p});
  }
}

void ControlUnit::fire(std::size_t index) {
  FlowState& flow = flows_[index];
  const hw::Time at = hw::now();
  const hw::VirtualChannel vc = flow.plan->vc;
  stalls_.settle(index, at);
  stalls_.partners_came(index, flow.first_head, flow.last_head);
  armed_.erase(std::find(armed_.begin(), armed_.end(), index));
  flow.armed = false;
  flow.heads = 0;
  if (!reliable_) begin_turns(turns_.pass(index));

  const PortFlow& ports = flow.plan->ports;
  const hw::Time tail_leaves =
      at + internal_.time_for(
               hw::header_of(ports_.inputs[ports.inputs.front().value]->buffer(vc).front()).wire_bytes);
  hw::TimeSum& queued = context_.flows[flow.plan->flow].queued;
  operands_.clear();
  for (const hw::PortId port : ports.inputs) {
    InputPort& input = *ports_.inputs[port.value];
    queued += at - input.buffer(vc).front_arrival();
    operands_.push_back(input.pop(vc, tail_leaves));
    if (reliable_) reliable_->fired(port, vc);
    input_free_[port.value] = tail_leaves;
  }
  for (const hw::PortId port : ports.outputs) {
    ports_.outputs[port.value]->reserve(vc, at);
    output_free_[port.value] = tail_leaves;
  }
  drained_at_ = std::max(drained_at_, tail_leaves);
  count_served(vc, at, tail_leaves);
  if (class_probe_.recorded()) class_probe_.set(at, class_states_[hw::index(vc)]);
  if (streaming_probe_.recorded()) {
    streaming_probe_.add(at, 1);
    streaming_probe_.add(tail_leaves, -1);
  }
  interconnect_.fire(
      route_set_ == 0 ? circuits_.online_circuit(ports.inputs.front()) : circuits_.circuit(index, route_set_),
      operands_, emerged_);
  operands_.clear();
  hand_over();
  for (const hw::PortId port : ports.inputs) {
    if (!ports_.inputs[port.value]->buffer(vc).empty()) head_exposed(port, vc);
  }
}

void ControlUnit::begin_turns(const std::vector<std::size_t>& flows) {
  for (const std::size_t next : flows) {
    if (flows_[next].armed) wake(std::max(flows_[next].earliest, hw::now()));
  }
}

void ControlUnit::discard_head(hw::PortId port, hw::VirtualChannel vc, bool counted) {
  InputPort& input = *ports_.inputs[port.value];
  const hw::Time at = std::max(hw::now(), input.tail_arrival(vc));
  const std::size_t index = index_of(hw::header_of(input.buffer(vc).front()).flow, port, vc);
  input.pop(vc, at);
  input_free_[port.value] = std::max(input_free_[port.value], hw::now());
  if (!counted) return;
  FlowState& flow = flows_[index];
  if (flow.armed) armed_.erase(std::find(armed_.begin(), armed_.end(), index));
  flow.armed = false;
  flow.heads = 0;
  stalls_.settle(index, std::max(hw::now(), flow.last_head));
  for (const hw::PortId other : flow.plan->ports.inputs) {
    const hw::VcBuffer& buffer = ports_.inputs[other.value]->buffer(vc);
    if (other == port || !reliable_->counted(other, vc)) continue;
    if (hw::header_of(buffer.front()).flow == flow.plan->flow) count_head(other, vc);
  }
}

/// "Before" in the order of the up ports means acknowledged: a packet sent again must not come behind a later
/// operation's.
void ControlUnit::passage_complete(std::size_t passage) {
  begin_turns(turns_.pass(passage, context_.reliable->flows[flow_ids_[passage].value].packets));
}

void ControlUnit::send_control(hw::PortId port, const hw::PacketHeader& header) {
  ports_.outputs[port.value]->transmitter.enqueue(context_.packets.make(header, 0, nullptr, 0),
                                                  hw::now() + crossing_);
}

void ControlUnit::count_served(hw::VirtualChannel vc, hw::Time from, hw::Time until) {
  hw::Time& before = served_until_[hw::index(vc)];
  if (until <= before) return;
  statistics_.served[hw::index(vc)] += until - std::max(from, before);
  before = until;
}

/// Announces what emerges at the output ports.
void ControlUnit::hand_over() {
  // Micro-switches hand packets over in the order of their wiring; the order of the ports is the same for
  // both abstractions.
  std::sort(emerged_.begin(), emerged_.end(),
            [](const Emergence& a, const Emergence& b) { return a.output < b.output; });
  for (Emergence& emergence : emerged_) {
    ports_.outputs[emergence.output.value]->transmitter.enqueue(std::move(emergence.packet), emergence.at);
  }
  emerged_.clear();
}

SwitchStatistics ControlUnit::statistics(hw::Time end) const {
  SwitchStatistics result = statistics_;
  stalls_.add_unsettled(end, result);
  for (const FlowState& flow : flows_) {
    if (flow.heads == 0 || flow.first_head >= end) continue;
    result.partner_missing += (flow.armed ? std::min(flow.last_head, end) : end) - flow.first_head;
  }
  // What is counted from its beginning and lies behind the end.
  for (std::size_t c = 0; c < served_until_.size(); ++c) {
    if (served_until_[c] > end) result.served[c] -= served_until_[c] - end;
  }
  if (usable_from_ > end) {
    const hw::Time after = std::min(usable_from_ - end, config_.reconfiguration);
    result.reconfiguring -= after;
    result.loading -= usable_from_ - end - after;
  }
  return result;
}

std::vector<hw::FlowId> ControlUnit::kept_waiting() const {
  std::vector<hw::FlowId> result;
  for (std::size_t index = 0; index < flows_.size(); ++index) {
    if (stalls_.cause(index) == StallCause::route_set) result.push_back(flow_ids_[index]);
  }
  return result;
}

hw::TimeSum ControlUnit::other_route_set(hw::FlowId flow, hw::Time end) const {
  hw::TimeSum sum;
  const auto [first, last] = std::equal_range(flow_ids_.begin(), flow_ids_.end(), flow);
  for (auto at = first; at != last; ++at) {
    sum = sum + stalls_.other_route_set(static_cast<std::size_t>(at - flow_ids_.begin()), end);
  }
  return sum;
}

std::vector<MissingPartners> ControlUnit::missing_partners() const {
  std::vector<MissingPartners> result;
  for (const FlowState& flow : flows_) {
    if (flow.heads == 0 || flow.armed) continue;
    MissingPartners missing{flow.plan->flow, {}};
    for (const hw::PortId port : flow.plan->ports.inputs) {
      const hw::VcBuffer& buffer = ports_.inputs[port.value]->buffer(flow.plan->vc);
      if (buffer.empty() || hw::header_of(buffer.front()).flow != flow.plan->flow)
        missing.missing.push_back(port);
    }
    result.push_back(std::move(missing));
  }
  for (const ControlPackets::Unfinished& barrier : control_packets_.unfinished()) {
    result.push_back({barrier.flow, barrier.missing});
  }
  return result;
}

}  // namespace fredsim::sw
