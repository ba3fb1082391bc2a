#include "hw/link/monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hw/core/error.h"

namespace fredsim::hw {
namespace {

/// Of everything that must not change while a packet is in flight. Not cryptographic: a word-wise
/// multiply-xor.
std::uint64_t fingerprint(const Payload& payload, const PacketHeader& header) {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  };
  mix(payload.get_address());
  mix(payload.get_data_length());
  mix(reinterpret_cast<std::uintptr_t>(payload.get_data_ptr()));
  mix(header.flow.value);
  mix(header.operation.value);
  mix(header.source.value);
  mix(static_cast<std::uint64_t>(header.vc) | static_cast<std::uint64_t>(header.dtype) << 8 |
      static_cast<std::uint64_t>(header.op) << 16 | static_cast<std::uint64_t>(header.damaged) << 24 |
      static_cast<std::uint64_t>(header.kind) << 32);
  mix(header.epoch);
  mix(header.restart);
  mix(header.wire_bytes);
  mix(header.sequence);
  mix(static_cast<std::uint64_t>(header.injected.fs()));
  if (const std::byte* data = data_of(payload)) {
    std::size_t left = payload.get_data_length();
    for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t), data += sizeof(std::uint64_t)) {
      std::uint64_t word;
      std::memcpy(&word, data, sizeof word);
      mix(word);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, data, left);
    mix(rest);
  }
  return hash;
}

std::string describe(const PacketHeader& header) {
  return fmt::format("packet {} of flow {} (operation {}, from NPU {}, vc {}, {} bytes)", header.sequence,
                     header.flow.value, header.operation.value, header.source.value, to_string(header.vc),
                     header.wire_bytes);
}

std::string describe(const Payload& payload) {
  const auto* extension = payload.get_extension<PacketExtension>();
  return extension ? describe(extension->header) : "a payload without PacketExtension";
}

}  // namespace

std::string_view to_string(ProtocolRule rule) {
  switch (rule) {
    case ProtocolRule::forward_phase:
      return "forward_phase";
    case ProtocolRule::backward_phase:
      return "backward_phase";
    case ProtocolRule::response:
      return "response";
    case ProtocolRule::extension:
      return "extension";
    case ProtocolRule::pooled:
      return "pooled";
    case ProtocolRule::size:
      return "size";
    case ProtocolRule::time_order:
      return "time_order";
    case ProtocolRule::bandwidth:
      return "bandwidth";
    case ProtocolRule::credit:
      return "credit";
    case ProtocolRule::sequence:
      return "sequence";
    case ProtocolRule::read_only:
      return "read_only";
    case ProtocolRule::credit_unknown:
      return "credit_unknown";
    case ProtocolRule::credit_early:
      return "credit_early";
    case ProtocolRule::credits_home:
      return "credits_home";
  }
  throw InternalError("not a protocol rule");
}

PacketMonitor::PacketMonitor(sc_core::sc_module_name name, const MonitorConfig& config)
    : sc_module(name),
      in("in"),
      out("out"),
      passed("passed"),
      config_(config),
      to_sender_(config.side == MonitorConfig::Side::receiver ? config.latency : Time()),
      to_receiver_(config.side == MonitorConfig::Side::sender ? config.latency : Time()),
      serialization_(config.bandwidth) {
  in.bind(static_cast<tlm::tlm_fw_transport_if<PacketProtocol>&>(*this));
  out.bind(static_cast<tlm::tlm_bw_transport_if<PacketProtocol>&>(*this));
}

void PacketMonitor::violate(ProtocolRule rule, Time at, const std::string& what) {
  violations_.push_back(
      {rule, at, fmt::format("{} at {}: rule {}: {}", name(), to_string(at), to_string(rule), what)});
  if (config_.throws) throw InternalError(violations_.back().message);
}

tlm::tlm_sync_enum PacketMonitor::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  const Time at = now() + from_sc(delay);
  if (phase != tlm::BEGIN_REQ) {
    violate(ProtocolRule::forward_phase, at,
            fmt::format("phase {} went forward with {}", phase.get_name(), describe(payload)));
    return tlm::TLM_ACCEPTED;
  }
  const auto* extension = payload.get_extension<PacketExtension>();
  if (!extension) {
    violate(ProtocolRule::extension, at, describe(payload));
    return tlm::TLM_ACCEPTED;
  }
  if (!payload.has_mm()) {
    violate(ProtocolRule::pooled, at, describe(extension->header) + " has no memory manager");
    return tlm::TLM_ACCEPTED;
  }
  const PacketHeader& header = extension->header;
  check_packet(payload, header, at);

  PacketRecord record;
  record.monitor = name();
  record.at = at;
  record.tail_at = last_tail_;
  record.header = header;
  record.offset = payload.get_address();
  record.bytes = payload.get_data_length();
  record.data = data_of(payload);
  passed.write(record);

  const tlm::tlm_sync_enum answer = out->nb_transport_fw(payload, phase, delay);
  if (answer != tlm::TLM_ACCEPTED) {
    violate(ProtocolRule::response, at, "the receiver did not answer TLM_ACCEPTED to " + describe(header));
  }
  return answer;
}

void PacketMonitor::check_packet(Payload& payload, const PacketHeader& header, Time at) {
  const bool control = header.vc == VirtualChannel::control;
  const std::uint32_t most = control ? config_.format.control : config_.format.bytes * config_.format.train;
  if (index(header.vc) >= virtual_channels || header.wire_bytes > most ||
      header.wire_bytes < config_.format.header + payload.get_data_length()) {
    violate(ProtocolRule::size, at,
            fmt::format("{} carries {} bytes of elements; a packet of this channel has at most {}",
                        describe(header), payload.get_data_length(), most));
    return;
  }
  if (any_ && at < last_head_) {
    violate(ProtocolRule::time_order, at,
            fmt::format("{} passes before {}", describe(header), to_string(last_head_)));
  } else if (any_ && at < last_tail_) {
    violate(ProtocolRule::bandwidth, at,
            fmt::format("{} overlaps the packet before it, whose tail passes at {}", describe(header),
                        to_string(last_tail_)));
  }
  any_ = true;
  last_head_ = at;
  last_tail_ = at + serialization_.time_for(header.wire_bytes);

  Channel& channel = channels_[index(header.vc)];
  const Time sent = at - to_sender_;
  while (!channel.returning.empty() && channel.returning.front().at_sender <= sent) {
    channel.in_flight -= channel.returning.pop().bytes;
  }
  channel.in_flight += header.wire_bytes;
  if (channel.in_flight > config_.receiver[index(header.vc)].bytes()) {
    violate(ProtocolRule::credit, at,
            fmt::format("{} was sent without credit: {} bytes outstanding, the receiver has room for {}",
                        describe(header), channel.in_flight, to_string(config_.receiver[index(header.vc)])));
  }
  std::uint64_t& next = next_sequence_[header.flow];
  if (!control && !config_.resends && header.sequence != next) {
    violate(ProtocolRule::sequence, at, fmt::format("{}: packet {} is next", describe(header), next));
  }
  next = header.sequence + 1;
  channel.outstanding.push(
      {PacketRef(payload), fingerprint(payload, header), header, last_tail_ + to_receiver_});
}

tlm::tlm_sync_enum PacketMonitor::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  const Time at = now() + from_sc(delay);
  if (phase != CREDIT) {
    violate(ProtocolRule::backward_phase, at,
            fmt::format("phase {} went backward with {}", phase.get_name(), describe(payload)));
    return tlm::TLM_ACCEPTED;
  }
  check_credit(payload, at);
  const tlm::tlm_sync_enum answer = in->nb_transport_bw(payload, phase, delay);
  if (answer != tlm::TLM_ACCEPTED) {
    violate(ProtocolRule::response, at,
            "the sender did not answer TLM_ACCEPTED to the credit of " + describe(payload));
  }
  return answer;
}

void PacketMonitor::check_credit(Payload& payload, Time at) {
  const auto is_it = [&payload](const Outstanding& packet) { return &*packet.packet == &payload; };
  // The channel is not asked of the header, which may have been changed.
  Channel* channel = channels_.data();
  auto found = std::find_if(channel->outstanding.begin(), channel->outstanding.end(), is_it);
  while (found == channel->outstanding.end()) {
    if (++channel == channels_.data() + channels_.size()) {
      violate(ProtocolRule::credit_unknown, at,
              "a credit for a packet that has not passed, or a second one: " + describe(payload));
      return;
    }
    found = std::find_if(channel->outstanding.begin(), channel->outstanding.end(), is_it);
  }
  const Outstanding packet = *found;
  channel->outstanding.erase(found);
  const auto* extension = payload.get_extension<PacketExtension>();
  if (!extension || fingerprint(payload, extension->header) != packet.fingerprint) {
    violate(ProtocolRule::read_only, at, describe(packet.header) + " was changed in flight");
  }
  if (at - to_receiver_ < packet.tail_at_receiver) {
    violate(ProtocolRule::credit_early, at,
            fmt::format("the credit of {} leaves before its tail has arrived at {}", describe(packet.header),
                        to_string(packet.tail_at_receiver)));
  }
  channel->returning.push_in_order(
      Credit{at + to_sender_, packet.header.wire_bytes},
      [](const Credit& a, const Credit& b) { return a.at_sender < b.at_sender; });
}

void PacketMonitor::finish() {
  std::size_t count = 0;
  const Outstanding* first = nullptr;
  for (const Channel& channel : channels_) {
    count += channel.outstanding.size();
    for (const Outstanding& packet : channel.outstanding) {
      if (!first || packet.tail_at_receiver < first->tail_at_receiver) first = &packet;
    }
  }
  if (!first) return;
  violate(ProtocolRule::credits_home, now(),
          fmt::format("{} packets were never credited, first {}", count, describe(first->header)));
}

}  // namespace fredsim::hw
