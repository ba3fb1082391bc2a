#include "hw/link/link_retry.h"

#include <algorithm>

#include "hw/link/sim_time.h"

namespace fredsim::hw {
namespace {

/// The doubled time stays one that the kernel can wait for.
constexpr std::uint64_t most_doublings = 10;

}  // namespace

LinkRetry::LinkRetry(sc_core::sc_module_name name, Context& context, const std::string& path,
                     const LinkRetryConfig& config, Wire& wire)
    : sc_module(name),
      context_(context),
      config_(config),
      wire_(wire),
      serialization_(config.bandwidth),
      back_at_(Time::max()),
      resent_probe_(context.recorder,
                    waveform_only(path + ".resent", "packets", "packets that the link has sent again so far",
                                  ProbeKind::level)) {
  SC_HAS_PROCESS(LinkRetry);
  SC_METHOD(serve);
  sensitive << event_;
  dont_initialize();
}

void LinkRetry::take(Payload& payload, Time at) {
  settle(now());
  replay_.push({PacketRef(payload), at, Time(), false});
  send_on();
}

/// Forgets what has been acknowledged by `at`.
void LinkRetry::settle(Time at) {
  while (!words_.empty() && words_.front().at <= at) {
    const std::uint64_t taken = words_.pop().taken;
    for (; first_ < taken; ++first_, --next_) replay_.pop();
  }
}

/// Sends what can go before the sender goes back. Nothing that happens later changes when that is.
void LinkRetry::send_on() {
  while (!given_up_ && next_ < replay_.size()) {
    Frame& frame = *(replay_.begin() + static_cast<std::ptrdiff_t>(next_));
    const Time at = std::max(frame.at, free_);
    if (at >= back_at_) break;
    send(frame, first_ + next_, at);
    ++next_;
  }
  schedule();
}

void LinkRetry::send(Frame& frame, std::uint64_t number, Time at) {
  if (frame.sent) {
    ++resent_;
    if (resent_probe_.recorded()) resent_probe_.add(at, 1);
  }
  free_ = at + serialization_.time_for(frame.packet.header().wire_bytes);
  const Fate fate = wire_.cross(*frame.packet, at, frame.sent);
  frame.sent = true;
  frame.tail = free_;
  const Time arrived = free_ + config_.latency;
  if (fate == Fate::dropped) return;
  if (fate == Fate::damaged || number > expected_) return complain(arrived);
  if (number == expected_) {
    ++expected_;
    wire_.deliver(*frame.packet, at);
  }
  acknowledge(arrived);
}

void LinkRetry::acknowledge(Time at) {
  ++acks_;
  if (wire_.answer(Answer::ack, word_bytes, at) == Fate::delivered) note_taken(at);
}

/// Once in each round: what follows is lost anyhow, and a NACK lost is made good by the timeout.
void LinkRetry::complain(Time at) {
  if (complained_round_ == round_ + 1) return;
  complained_round_ = round_ + 1;
  ++nacks_;
  if (wire_.answer(Answer::nack, word_bytes, at) != Fate::delivered) return;
  note_taken(at);
  back_at_ = std::min(back_at_, at + config_.back_latency);
}

void LinkRetry::note_taken(Time at) {
  if (expected_ > answered_) fruitless_ = 0;
  answered_ = expected_;
  words_.push({at + config_.back_latency, expected_});
}

/// Wakes when a NACK arrives, or when the first packet of which no answer arrives has been waited for long
/// enough. A packet whose answer is on its way needs no timer.
void LinkRetry::schedule() {
  event_.cancel();
  if (given_up_) return;
  Time next = back_at_;
  if (next == Time::max() && answered_ < first_ + next_) {
    const Frame& first = *(replay_.begin() + static_cast<std::ptrdiff_t>(answered_ - first_));
    const auto factor = std::uint64_t{1} << std::min(fruitless_, most_doublings);
    next = first.tail + config_.timeout * static_cast<std::int64_t>(factor);
  }
  if (next != Time::max()) event_.notify(to_sc(std::max(next - now(), Time())));
}

void LinkRetry::serve() {
  ++context_.kernel_events;
  settle(now());
  back_at_ = Time::max();
  if (++fruitless_ > config_.attempts) {
    given_up_ = true;
    return;
  }
  ++round_;
  next_ = 0;
  free_ = std::max(free_, now());
  send_on();
}

std::vector<FlowId> LinkRetry::held() const {
  std::vector<FlowId> flows;
  std::uint64_t number = first_;
  for (const Frame& frame : replay_) {
    if (number++ >= expected_) flows.push_back(frame.packet.header().flow);
  }
  std::sort(flows.begin(), flows.end());
  flows.erase(std::unique(flows.begin(), flows.end()), flows.end());
  return flows;
}

}  // namespace fredsim::hw
