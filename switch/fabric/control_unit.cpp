#include "switch/fabric/control_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "hw/core/error.h"

namespace fredsim::sw {
namespace {

hw::ProbeInfo probe(std::string path, const char* meaning, hw::ProbeKind kind) {
  hw::ProbeInfo info;
  info.path = std::move(path);
  info.meaning = meaning;
  info.kind = kind;
  info.statistics = false;
  return info;
}

hw::ProbeInfo flows_probe(std::string path, const char* meaning) {
  hw::ProbeInfo info = probe(std::move(path), meaning, hw::ProbeKind::level);
  info.unit = "flows";
  return info;
}

}  // namespace

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
      online_(structure),
      control_packets_(context, config.path + ".control", plan, config.hop_latency * structure.stages()),
      up_turns_(structure.ports()),
      last_flow_(structure.ports()),
      input_free_(structure.ports()),
      output_free_(structure.ports()),
      laid_(structure.ports()),
      route_set_probe_(context.recorder, probe(config.path + ".control.route_set", "route set being served",
                                               hw::ProbeKind::number)),
      class_probe_(context.recorder,
                   probe(config.path + ".control.traffic_class",
                         "class of the packet that entered the interconnect last", hw::ProbeKind::state)),
      streaming_probe_(context.recorder, flows_probe(config.path + ".control.streaming",
                                                     "flows of which a packet leaves the input buffers")),
      stalled_{
          hw::Probe(context.recorder, flows_probe(config.path + ".control.stalled.partner_missing",
                                                  "flows that lack operands of their next packet")),
          hw::Probe(context.recorder, flows_probe(config.path + ".control.stalled.other_route_set",
                                                  "flows that are ready while another route set is served")),
          hw::Probe(context.recorder, flows_probe(config.path + ".control.stalled.no_staging",
                                                  "flows that are ready and lack room at an output"))},
      reconfiguring_state_(class_probe_.state("reconfiguring")) {
  for (std::size_t c = 0; c < hw::traffic_classes; ++c) {
    class_states_[c] = class_probe_.state(to_string(static_cast<hw::TrafficClass>(c)));
  }
  lay_circuits(plan);
  queue_up_ports();
  SC_HAS_PROCESS(ControlUnit);
  SC_METHOD(serve);
  sensitive << serve_event_;
  dont_initialize();
}

/// A circuit for all flows with the same ports and the same route in each route set that has the route: the
/// flow passes in whichever of them is served.
void ControlUnit::lay_circuits(const SwitchPlan& plan) {
  std::map<std::pair<PortFlow, PortFlow>, std::size_t> known;
  flows_.reserve(plan.flows.size());
  for (const SwitchFlow& flow : plan.flows) {
    if (flow.vc == hw::VirtualChannel::control) continue;
    FlowState state;
    state.plan = &flow;
    if (flow.route_set != 0) {
      const PortFlow& routed = plan.route_sets.at(flow.route_set).flows.at(flow.index);
      const auto [found, fresh] = known.try_emplace({routed, flow.ports}, circuits_.size());
      state.laid = found->second;
      if (fresh) {
        circuits_.emplace_back(plan.route_sets.size(), no_circuit);
        for (std::size_t s = 1; s < plan.route_sets.size(); ++s) {
          const RouteSet& set = plan.route_sets[s];
          const auto place = std::find(set.flows.begin(), set.flows.end(), routed);
          if (place == set.flows.end()) continue;
          interconnect_.lay(online_circuits_, flow.ports, set.routes[place - set.flows.begin()]);
          circuits_.back()[s] = online_circuits_++;
        }
      }
    }
    flows_.push_back(state);
    flow_ids_.push_back(flow.flow);
  }
}

void ControlUnit::queue_up_ports() {
  for (std::size_t index = 0; index < flows_.size(); ++index) {
    FlowState& flow = flows_[index];
    const SwitchFlow& plan = *flow.plan;
    if (plan.up_packets == 0) continue;
    std::unique_ptr<UpTurns>& turns = up_turns_[plan.ports.outputs.back().value][hw::index(plan.vc)];
    if (!turns) turns = std::make_unique<UpTurns>();
    if (turns->turns.empty() || turns->turns.back().first_stripe != plan.first_stripe) {
      turns->turns.push_back({plan.first_stripe, plan.up_packets, {}});
    }
    turns->turns.back().flows.push_back(index);
    flow.turns = turns.get();
    flow.turn = turns->turns.size() - 1;
  }
}

ControlUnit::FlowState& ControlUnit::state_of(hw::FlowId flow, hw::PortId port, hw::VirtualChannel vc) {
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
  return flows_[last.index];
}

void ControlUnit::head_exposed(hw::PortId port, hw::VirtualChannel vc) {
  InputPort& input = *ports_.inputs[port.value];
  const hw::Payload& packet = input.buffer(vc).front();
  const hw::PacketHeader& header = hw::header_of(packet);
  FlowState& flow = state_of(header.flow, port, vc);
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
    if (stalled(Cause::partner).recorded() || context_.stalls) stall(flow, Cause::partner, visible);
    return;
  }
  settle_stall(flow, flow.last_head);
  for (const hw::PortId output : flow.plan->ports.outputs) {
    flow.earliest = std::max(flow.earliest, output_free_[output.value]);
  }
  flow.armed = true;
  armed_.push_back(last_flow_[port.value][hw::index(vc)].index);
  wake(flow.earliest);
}

void ControlUnit::control_arrives(hw::PortId port, const hw::Payload& payload, hw::Time at) {
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
    } else if (!has_turn(flow)) {
      stall(flow, Cause::turn, at);
    } else if (!has_room(flow)) {
      waiting_for_room_ = true;
      stall(flow, Cause::staging, at);
    } else {
      candidates_.push_back({flow.plan->flow, flow.plan->vc, route_set_of(flow), flow.earliest});
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

bool ControlUnit::has_turn(const FlowState& flow) const {
  return !flow.turns || !flow.plan->in_turn || flow.turn == flow.turns->next;
}

void ControlUnit::take_turn(FlowState& flow) {
  UpTurns& up = *flow.turns;
  --up.turns[flow.turn].packets_left;
  const std::size_t before = up.next;
  while (up.next < up.turns.size() && up.turns[up.next].packets_left == 0) ++up.next;
  if (up.next == before || up.next == up.turns.size()) return;
  for (const std::size_t index : up.turns[up.next].flows) {
    if (flows_[index].armed) wake(std::max(flows_[index].earliest, hw::now()));
  }
}

std::uint32_t ControlUnit::route_set_of(const FlowState& flow) const {
  const std::uint32_t home = flow.plan->route_set;
  if (home == 0 || route_set_ == 0) return home;
  return circuits_[flow.laid][route_set_] == no_circuit ? home : route_set_;
}

/// Whether the switch serves `to` now. If not, it wakes when the interconnect has drained or is configured.
bool ControlUnit::change_route_set(std::uint32_t to, const Candidate& chosen) {
  const hw::Time at = hw::now();
  for (const std::size_t index : candidate_flows_) {
    if (route_set_of(flows_[index]) != route_set_) stall(flows_[index], Cause::route_set, at);
  }
  if (at < drained_at_) {
    wake(drained_at_);
    return false;
  }
  for (const Candidate& candidate : candidates_) {
    if (candidate.route_set == route_set_ && hw::index(candidate.vc) > hw::index(chosen.vc)) {
      ++statistics_.preemptions;
      break;
    }
  }
  route_set_ = to;
  usable_from_ = at + config_.reconfiguration;
  ++statistics_.reconfigurations;
  statistics_.reconfiguring += config_.reconfiguration;
  if (class_probe_.recorded()) class_probe_.set(at, reconfiguring_state_);
  if (route_set_probe_.recorded()) route_set_probe_.set(usable_from_, route_set_);
  if (usable_from_ == at) return true;
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
    if (route_set_of(flow) != route_set_) {
      stall(flow, Cause::route_set, at);
      others_wait = true;
    } else if (ports_free(flow) && (route_set_ != 0 || open_path(flow))) {
      fire(flow);
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

bool ControlUnit::open_path(FlowState& flow) {
  const hw::PortId in = flow.plan->ports.inputs.front();
  const hw::PortId out = flow.plan->ports.outputs.front();
  const Route* route = online_.open(in, out);
  if (!route) {  // possible with m = 2 only; whichever path ends next may free what it needs
    stall(flow, Cause::route_set, hw::now());
    for (std::uint32_t p = 0; p < input_free_.size(); ++p) {
      if (!online_.input_free(hw::PortId{p})) wake(input_free_[p]);
    }
    return false;
  }
  Laid& laid = laid_[in.value];
  if (laid.output != out.value || laid.route.colors != route->colors) {
    laid = {out.value, *route};
    interconnect_.lay(online_circuits_ + in.value, flow.plan->ports, *route);
  }
  return true;
}

void ControlUnit::close_paths() {
  if (online_.open_count() == 0) return;
  for (std::uint32_t p = 0; p < input_free_.size(); ++p) {
    if (!online_.input_free(hw::PortId{p}) && input_free_[p] <= hw::now()) online_.close(hw::PortId{p});
  }
}

void ControlUnit::fire(FlowState& flow) {
  const hw::Time at = hw::now();
  const hw::VirtualChannel vc = flow.plan->vc;
  settle_stall(flow, at);
  statistics_.partner_missing += flow.last_head - flow.first_head;
  armed_.erase(std::find(armed_.begin(), armed_.end(), static_cast<std::size_t>(&flow - flows_.data())));
  flow.armed = false;
  flow.heads = 0;
  if (flow.turns) take_turn(flow);

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
    input_free_[port.value] = tail_leaves;
  }
  for (const hw::PortId port : ports.outputs) {
    ports_.outputs[port.value]->reserve(vc, at);
    output_free_[port.value] = tail_leaves;
  }
  drained_at_ = std::max(drained_at_, tail_leaves);
  if (class_probe_.recorded()) class_probe_.set(at, class_states_[hw::index(vc)]);
  if (streaming_probe_.recorded()) {
    streaming_probe_.add(at, 1);
    streaming_probe_.add(tail_leaves, -1);
  }
  interconnect_.fire(
      route_set_ == 0 ? online_circuits_ + ports.inputs.front().value : circuits_[flow.laid][route_set_],
      operands_, emerged_);
  operands_.clear();
  hand_over();
  for (const hw::PortId port : ports.inputs) {
    if (!ports_.inputs[port.value]->buffer(vc).empty()) head_exposed(port, vc);
  }
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

hw::Probe& ControlUnit::stalled(Cause cause) {
  if (cause == Cause::staging) return stalled_[2];
  return stalled_[cause == Cause::route_set ? 1 : 0];
}

void ControlUnit::stall(FlowState& flow, Cause cause, hw::Time since) {
  if (flow.cause == cause) return;
  settle_stall(flow, hw::now());
  flow.cause = cause;
  flow.cause_since = since;
  if (context_.stalls) flow.stall = context_.stalls->begins(since);
  if (stalled(cause).recorded()) stalled(cause).add(since, 1);
}

void ControlUnit::settle_stall(FlowState& flow, hw::Time at) {
  if (flow.cause == Cause::none) return;
  const hw::Time waited = at - flow.cause_since;
  if (flow.cause == Cause::turn) statistics_.partner_missing += waited;
  if (flow.cause == Cause::route_set) statistics_.other_route_set += waited;
  if (flow.cause == Cause::staging) statistics_.no_staging += waited;
  if (flow.stall != 0) context_.stalls->ends(std::exchange(flow.stall, 0), at);
  if (stalled(flow.cause).recorded()) stalled(flow.cause).add(at, -1);
  flow.cause = Cause::none;
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
