#include "accel/npu/go_back_n.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/link/sim_time.h"

namespace fredsim::accel {
namespace {

/// The doubled timeout stays one that the kernel can wait for.
constexpr std::uint64_t most_doublings = 10;

}  // namespace

std::uint64_t GoBackN::Sender::first_open() const {
  std::uint64_t number = total;
  for (std::uint32_t s = 0; s < stripes; ++s) number = std::min(number, acked[s] * stripes + s);
  return number;
}

GoBackN::GoBackN(sc_core::sc_module_name name, hw::Context& context, const std::string& path, hw::NpuId npu,
                 Client& client)
    : sc_module(name),
      context_(context),
      config_(*context.reliable),
      npu_(npu),
      client_(client),
      epoch_probe_(
          context.recorder,
          hw::waveform_only(path + ".epoch", "", "epoch of the packet sent last, counted from the first",
                            hw::ProbeKind::number)),
      resent_probe_(context.recorder, hw::waveform_only(path + ".resent", "packets", "sent again so far",
                                                        hw::ProbeKind::level)) {
  SC_HAS_PROCESS(GoBackN);
  SC_METHOD(serve);
  sensitive << event_;
  dont_initialize();
}

hw::Time GoBackN::patience(std::uint64_t attempts) const {
  return config_.timeout * static_cast<std::int64_t>(std::uint64_t{1} << std::min(attempts, most_doublings));
}

void GoBackN::open(hw::VirtualChannel vc, hw::FlowId first, hw::OperationId operation) {
  Sender& sender = senders_[hw::index(vc)];
  sender = Sender();
  sender.open = true;
  sender.first = first;
  sender.operation = operation;
  sender.stripes = config_.flows[first.value].stripes;
  for (std::uint32_t s = 0; s < sender.stripes; ++s) sender.total += config_.flows[first.value + s].packets;
  sender.acked.assign(sender.stripes, 0);
  if (const auto told = epochs_.find(first); told != epochs_.end()) {
    sender.epoch = told->second;
    sender.next = sender.epoch.restart;
    epochs_.erase(told);
  }
  sender.deadline = hw::now() + patience(0);
  schedule();
}

std::optional<std::uint64_t> GoBackN::next(hw::VirtualChannel vc) {
  Sender& sender = senders_[hw::index(vc)];
  const auto acked = [&sender] { return sender.acked[sender.next % sender.stripes]; };
  // Other packets that are acknowledged are sent all the same: in an epoch all sources send the same, or
  // switches of different planes could wait for each other.
  const auto stripe_is_done = [&] {
    const auto stripe = static_cast<std::uint32_t>(sender.next % sender.stripes);
    return acked() == config_.flows[sender.first.value + stripe].packets;
  };
  while (sender.next < sender.total && stripe_is_done()) ++sender.next;
  if (sender.next == sender.total || sender.place(sender.next) >= acked() + hw::FlowReliability::window)
    return std::nullopt;
  return sender.next;
}

hw::Epoch GoBackN::send(hw::VirtualChannel vc) {
  Sender& sender = senders_[hw::index(vc)];
  if (sender.next < sender.furthest) {
    ++counts_.resent;
    if (resent_probe_.recorded()) resent_probe_.add(hw::now(), 1);
  }
  if (epoch_probe_.recorded())
    epoch_probe_.set(hw::now(), sender.epoch.number - hw::FlowReliability::first_epoch);
  sender.furthest = std::max(sender.furthest, ++sender.next);
  return sender.epoch;
}

bool GoBackN::close_if_acknowledged(hw::VirtualChannel vc) {
  Sender& sender = senders_[hw::index(vc)];
  for (std::uint32_t s = 0; s < sender.stripes; ++s) {
    if (sender.acked[s] < config_.flows[sender.first.value + s].packets) return false;
  }
  sender.open = false;
  schedule();
  return true;
}

std::string GoBackN::given_up(hw::VirtualChannel vc) const {
  const Sender& sender = senders_[hw::index(vc)];
  if (!sender.open || !sender.given_up(config_.attempts)) return "";
  return fmt::format("an acknowledgement of packet {}, given up after {} attempts without any",
                     sender.first_open(), config_.attempts);
}

void GoBackN::barrier_sent(const hw::PacketHeader& header) {
  barriers_.push_back({header, 0, hw::now() + patience(0)});
  schedule();
}

void GoBackN::barrier_released(hw::FlowId flow) {
  barriers_.erase(std::remove_if(barriers_.begin(), barriers_.end(),
                                 [flow](const Barrier& b) { return b.header.flow == flow; }),
                  barriers_.end());
  schedule();
}

bool GoBackN::takes(std::size_t receive, const hw::PacketHeader& header, std::uint64_t next, hw::Time at) {
  const std::uint64_t k = header.sequence;
  const bool answers = (k + 1) % hw::FlowReliability::acknowledge_every == 0 ||
                       k + 1 == config_.flows[header.flow.value].packets;
  if (k < next || (k == next && !header.damaged)) {
    const std::uint64_t taken = std::max(next, k + 1);
    if (answers && !header.damaged) {
      ++counts_.acks;
      client_.send_control(control(hw::PacketKind::ack, header.flow, taken, hw::epoch_of(header)), at);
    }
    return k == next;
  }
  if (receive >= complaints_.size()) complaints_.resize(receive + 1);
  Complaint& last = complaints_[receive];
  const hw::Epoch epoch = hw::epoch_of(header);
  if (last.any && !hw::newer(epoch, last.epoch)) return false;
  last = {true, epoch};
  ++counts_.nacks;
  const std::uint64_t missing = config_.flows[header.flow.value].number(next);
  client_.send_control(control(hw::PacketKind::go_back, header.flow, next, hw::after(epoch, missing)), at);
  return false;
}

void GoBackN::control_arrives(const hw::PacketHeader& header, hw::Time at) {
  words_.push_in_order({at, header}, [](const Word& a, const Word& b) { return a.at < b.at; });
  schedule();
}

void GoBackN::schedule() {
  event_.cancel();
  hw::Time next = words_.empty() ? hw::Time::max() : words_.front().at;
  for (const Sender& sender : senders_) {
    if (sender.open) next = std::min(next, sender.deadline);
  }
  for (const Barrier& barrier : barriers_) next = std::min(next, barrier.deadline);
  if (next != hw::Time::max()) event_.notify(hw::to_sc(std::max(next - hw::now(), hw::Time())));
}

void GoBackN::serve() {
  ++context_.kernel_events;
  const hw::Time at = hw::now();
  while (!words_.empty() && words_.front().at <= at) {
    const hw::PacketHeader header = words_.pop().header;
    const hw::FlowReliability::Sequence& flow = config_.flows[header.flow.value];
    const auto sender = std::find_if(senders_.begin(), senders_.end(),
                                     [&flow](const Sender& s) { return s.open && s.first == flow.first; });
    if (sender != senders_.end()) {
      const auto vc = static_cast<hw::VirtualChannel>(sender - senders_.begin());
      if (header.kind == hw::PacketKind::ack) acknowledged(*sender, vc, header);
      if (header.kind == hw::PacketKind::go_back) go_back(*sender, vc, header);
    } else if (header.kind == hw::PacketKind::go_back) {
      const hw::Epoch epoch = hw::epoch_of(header);
      const auto told = epochs_.try_emplace(flow.first, epoch).first;
      if (hw::newer(epoch, told->second)) told->second = epoch;
    }
  }
  for (Sender& sender : senders_) {
    if (sender.open && sender.deadline <= at) probe(sender);
  }
  for (Barrier& barrier : barriers_) {
    if (barrier.deadline > at) continue;
    if (++barrier.attempts > config_.attempts) {
      barrier.deadline = hw::Time::max();
      continue;
    }
    barrier.deadline = at + patience(barrier.attempts);
    ++counts_.resent;
    client_.send_control(barrier.header, at);
  }
  schedule();
}

void GoBackN::acknowledged(Sender& sender, hw::VirtualChannel vc, const hw::PacketHeader& header) {
  std::uint64_t& acked = sender.acked[config_.flows[header.flow.value].stripe];
  if (header.sequence <= acked) return;
  acked = header.sequence;
  sender.attempts = 0;
  sender.fruitless = 0;
  sender.deadline = hw::now() + patience(0);
  client_.window_moved(vc);
}

void GoBackN::go_back(Sender& sender, hw::VirtualChannel vc, const hw::PacketHeader& header) {
  const hw::Epoch epoch = hw::epoch_of(header);
  if (!hw::newer(epoch, sender.epoch)) return;
  // What was asked for too late to be part of the same time of going back does not count.
  if (epoch.number != sender.epoch.number)
    sender.fruitless = epoch.restart > sender.epoch.restart ? 0 : sender.fruitless + 1;
  if (sender.fruitless > config_.attempts) return;
  sender.epoch = epoch;
  sender.next = epoch.restart;
  client_.window_moved(vc);
}

/// Asks after the first packet that is not acknowledged.
void GoBackN::probe(Sender& sender) {
  if (++sender.attempts > config_.attempts) {
    sender.deadline = hw::Time::max();
    return;
  }
  sender.deadline = hw::now() + patience(sender.attempts);
  const std::uint64_t number = sender.first_open();
  const hw::FlowId flow(sender.first.value + static_cast<std::uint32_t>(number % sender.stripes));
  hw::PacketHeader header = control(hw::PacketKind::probe, flow, sender.place(number), sender.epoch);
  header.operation = sender.operation;
  client_.send_control(header, hw::now());
}

hw::PacketHeader GoBackN::control(hw::PacketKind kind, hw::FlowId flow, std::uint64_t sequence,
                                  const hw::Epoch& epoch) const {
  hw::PacketHeader header = hw::control_header(context_.format, kind, flow, sequence, epoch);
  header.source = npu_;
  return header;
}

}  // namespace fredsim::accel
