#include "switch/fabric/reliable_flows.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"
#include "hw/link/sim_time.h"

namespace fredsim::sw {

ReliableFlows::ReliableFlows(sc_core::sc_module_name name, hw::Context& context, const SwitchPlan& plan,
                             std::vector<std::unique_ptr<InputPort>>& inputs, Host& host)
    : sc_module(name),
      context_(context),
      config_(*context.reliable),
      inputs_(inputs),
      host_(host),
      counted_(plan.ports) {
  for (const SwitchFlow& flow : plan.flows) {
    if (flow.vc == hw::VirtualChannel::control) continue;
    Passage passage;
    passage.plan = &flow;
    passage.sequence = &config_.flows[flow.flow.value];
    passage.acked.assign(flow.ports.outputs.size(), 0);
    passage.told.resize(flow.ports.inputs.size());
    passages_.push_back(std::move(passage));
  }
  SC_HAS_PROCESS(ReliableFlows);
  SC_METHOD(serve);
  sensitive << event_;
  dont_initialize();
}

const hw::PacketHeader* ReliableFlows::head(hw::PortId port, hw::VirtualChannel vc) const {
  const hw::VcBuffer& buffer = inputs_[port.value]->buffer(vc);
  return buffer.empty() ? nullptr : &hw::header_of(buffer.front());
}

bool ReliableFlows::same_stream(const hw::PacketHeader& header, const Passage& passage) const {
  return config_.flows[header.flow.value].first == passage.sequence->first;
}

ReliableFlows::Label ReliableFlows::label(const hw::PacketHeader& header) const {
  return {hw::epoch_of(header), config_.flows[header.flow.value].number(header.sequence)};
}

void ReliableFlows::exposed(hw::PortId port, hw::VirtualChannel vc) {
  unsettled_.emplace_back(port, vc);
  if (settling_) return;
  settling_ = true;
  while (!unsettled_.empty()) {
    const auto next = unsettled_.back();
    unsettled_.pop_back();
    settle(next.first, next.second);
  }
  settling_ = false;
}

void ReliableFlows::discard(hw::PortId port, hw::VirtualChannel vc) {
  bool& counted = counted_[port.value][hw::index(vc)];
  const bool was_counted = counted;
  counted = false;
  host_.discard_head(port, vc, was_counted);
  exposed(port, vc);
}

/// Whether nobody needs the first packet of a channel, or can use it.
bool ReliableFlows::hopeless(hw::PortId port, hw::VirtualChannel vc) {
  const hw::PacketHeader& header = *head(port, vc);
  Passage& passage = passages_[host_.passage_in(header.flow, port, vc)];
  const hw::Epoch epoch = hw::epoch_of(header);
  if (hw::newer(epoch, passage.epoch)) passage.epoch = epoch;
  if (passage.acked_by_all == passage.sequence->packets) {
    // The source has missed the acknowledgement. It is told as often as receivers would.
    const std::uint64_t after = header.sequence + 1;
    if (after % hw::FlowReliability::acknowledge_every == 0 || after == passage.sequence->packets)
      send(port, hw::PacketKind::ack, header.flow, passage.acked_by_all, epoch);
    return true;
  }
  if (!header.damaged) return false;
  if (header.sequence >= passage.acked_by_all) complain(passage, header);
  return true;
}

/// Looks at the first packet of a channel: throws it away, or the partners that have fallen behind it, or
/// counts it.
void ReliableFlows::settle(hw::PortId port, hw::VirtualChannel vc) {
  const hw::PacketHeader* header = head(port, vc);
  if (!header || counted(port, vc)) return;
  if (hopeless(port, vc)) return discard(port, vc);
  Passage& passage = passages_[host_.passage_in(header->flow, port, vc)];
  if (passage.joins()) {
    // Every input gets the packets of the stream in ascending order. What is behind another input's first
    // packet will get no partner from there any more.
    const std::vector<hw::PortId>& inputs = passage.plan->ports.inputs;
    const hw::PacketHeader* newest = header;
    for (const hw::PortId other : inputs) {
      const hw::PacketHeader* its = head(other, vc);
      if (its && same_stream(*its, passage) && before(label(*newest), label(*its))) newest = its;
    }
    const hw::PacketHeader limit = *newest;  // what it points to may be thrown away
    bool itself = false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const hw::PacketHeader* its = head(inputs[i], vc);
      if (!its || !same_stream(*its, passage) || !before(label(*its), label(limit))) continue;
      if (hw::newer(hw::epoch_of(limit), hw::epoch_of(*its))) tell(passage, i, limit, hw::epoch_of(*its));
      itself = itself || inputs[i] == port;
      discard(inputs[i], vc);
    }
    if (itself) return;
  }
  counted_[port.value][hw::index(vc)] = true;
  host_.count_head(port, vc);
}

/// An input sends an epoch that is over: those behind it have missed the order to go back.
void ReliableFlows::tell(Passage& passage, std::size_t input, const hw::PacketHeader& newest,
                         const hw::Epoch& has) {
  std::optional<hw::Epoch>& told = passage.told[input];
  // Once for each epoch that turns out to be over, so that an answer lost is repeated when they try again.
  if (told == has) return;
  told = has;
  ++nacks_;
  send(passage.plan->ports.inputs[input], hw::PacketKind::go_back, newest.flow, newest.sequence,
       hw::epoch_of(newest));
}

void ReliableFlows::complain(Passage& passage, const hw::PacketHeader& header) {
  const hw::Epoch epoch = hw::epoch_of(header);
  if (passage.complained && !hw::newer(epoch, *passage.complained)) return;
  passage.complained = epoch;
  ++nacks_;
  complained(passage, header, hw::after(epoch, label(header).number));
}

/// Up to where the stream turns around, and from there back to all sources.
void ReliableFlows::complained(Passage& passage, const hw::PacketHeader& header, const hw::Epoch& epoch) {
  if (passage.goes_up()) {
    return send(passage.plan->ports.outputs.back(), hw::PacketKind::complaint, header.flow, header.sequence,
                epoch);
  }
  for (const hw::PortId input : passage.plan->ports.inputs) {
    send(input, hw::PacketKind::go_back, header.flow, header.sequence, epoch);
  }
}

void ReliableFlows::control_arrives(hw::PortId port, const hw::PacketHeader& header, hw::Time at) {
  words_.push_in_order({at, port, header}, [](const Word& a, const Word& b) { return a.at < b.at; });
  event_.cancel();
  event_.notify(hw::to_sc(std::max(words_.front().at - hw::now(), hw::Time())));
}

void ReliableFlows::serve() {
  ++context_.kernel_events;
  while (!words_.empty() && words_.front().at <= hw::now()) {
    const Word word = words_.pop();
    switch (word.header.kind) {
      case hw::PacketKind::ack:
        acknowledged(word.port, word.header);
        break;
      case hw::PacketKind::go_back:
        go_back(word.port, word.header);
        break;
      case hw::PacketKind::complaint:
      case hw::PacketKind::probe:
        asked(word.port, word.header);
        break;
      case hw::PacketKind::payload:
        throw hw::InternalError(fmt::format("{} at {}: a packet of flow {} is no answer", name(),
                                            to_string(hw::now()), word.header.flow.value));
    }
  }
  if (!words_.empty()) event_.notify(hw::to_sc(words_.front().at - hw::now()));
}

ReliableFlows::Passage& ReliableFlows::passage_at(hw::FlowId flow, hw::PortId port,
                                                  std::vector<hw::PortId> PortFlow::*side,
                                                  std::size_t& place) {
  auto at = std::lower_bound(passages_.begin(), passages_.end(), flow,
                             [](const Passage& p, hw::FlowId f) { return p.plan->flow < f; });
  for (; at != passages_.end() && at->plan->flow == flow; ++at) {
    const std::vector<hw::PortId>& ports = at->plan->ports.*side;
    const auto found = std::find(ports.begin(), ports.end(), port);
    if (found == ports.end()) continue;
    place = static_cast<std::size_t>(found - ports.begin());
    return *at;
  }
  throw hw::InternalError(fmt::format("{} at {}: an answer of flow {} at port {}, which it does not use",
                                      name(), to_string(hw::now()), flow.value, port.value));
}

void ReliableFlows::acknowledged(hw::PortId port, const hw::PacketHeader& header) {
  std::size_t output = 0;
  Passage& passage = passage_at(header.flow, port, &PortFlow::outputs, output);
  passage.acked[output] = std::max(passage.acked[output], header.sequence);
  const std::uint64_t all = *std::min_element(passage.acked.begin(), passage.acked.end());
  if (all <= passage.acked_by_all) return;
  passage.acked_by_all = all;
  for (const hw::PortId input : passage.plan->ports.inputs) {
    send(input, hw::PacketKind::ack, header.flow, all, hw::epoch_of(header));
  }
  if (all < passage.sequence->packets) return;
  host_.passage_complete(static_cast<std::size_t>(&passage - passages_.data()));
  // Nobody sends partners any more for what all have.
  for (const hw::PortId input : passage.plan->ports.inputs) {
    const hw::PacketHeader* first = head(input, passage.plan->vc);
    if (first && first->flow == header.flow && first->sequence < all) discard(input, passage.plan->vc);
  }
}

void ReliableFlows::go_back(hw::PortId port, const hw::PacketHeader& header) {
  std::size_t output = 0;
  const Passage& passage = passage_at(header.flow, port, &PortFlow::outputs, output);
  for (const hw::PortId input : passage.plan->ports.inputs) {
    send(input, hw::PacketKind::go_back, header.flow, header.sequence, hw::epoch_of(header));
  }
}

/// The first packet of the passage's stream, of the newest epoch, that an input holds.
const hw::PacketHeader* ReliableFlows::held(const Passage& passage, hw::PortId port) const {
  const hw::PacketHeader* first = nullptr;
  inputs_[port.value]->buffer(passage.plan->vc).for_each([&](const hw::PacketHeader& header) {
    if (same_stream(header, passage) && (!first || hw::newer(hw::epoch_of(header), hw::epoch_of(*first))))
      first = &header;
  });
  return first;
}

/// A source asks after its packets, or a switch further down has got a damaged one.
void ReliableFlows::asked(hw::PortId port, const hw::PacketHeader& header) {
  std::size_t place = 0;
  Passage& passage = passage_at(header.flow, port, &PortFlow::inputs, place);
  if (passage.acked_by_all > header.sequence)
    return send(port, hw::PacketKind::ack, header.flow, passage.acked_by_all, hw::epoch_of(header));
  if (header.kind == hw::PacketKind::complaint) return complained(passage, header, hw::epoch_of(header));
  const std::vector<hw::PortId>& inputs = passage.plan->ports.inputs;
  if (const hw::PacketHeader* first = held(passage, port)) {
    // It is not lost. If it waits for others, these may have missed that the stream has gone back.
    for (const hw::PortId other : inputs) {
      const hw::PacketHeader* its = held(passage, other);
      if (!its || hw::newer(hw::epoch_of(*first), hw::epoch_of(*its)))
        send(other, hw::PacketKind::go_back, first->flow, first->sequence, hw::epoch_of(*first));
    }
    return;
  }
  if (passage.goes_up()) {
    return send(passage.plan->ports.outputs.back(), hw::PacketKind::probe, header.flow, header.sequence,
                hw::epoch_of(header));
  }
  // Nothing of it is further up: it is lost, or its acknowledgement is.
  ++nacks_;
  const hw::Epoch asked = hw::epoch_of(header);
  const hw::Epoch last = hw::newer(passage.epoch, asked) ? passage.epoch : asked;
  const hw::Epoch next = hw::after(last, passage.sequence->number(passage.acked_by_all));
  for (const hw::PortId input : inputs) {
    send(input, hw::PacketKind::go_back, header.flow, passage.acked_by_all, next);
  }
}

void ReliableFlows::send(hw::PortId port, hw::PacketKind kind, hw::FlowId flow, std::uint64_t sequence,
                         const hw::Epoch& epoch) {
  host_.send_control(port, hw::control_header(context_.format, kind, flow, sequence, epoch));
}

}  // namespace fredsim::sw
