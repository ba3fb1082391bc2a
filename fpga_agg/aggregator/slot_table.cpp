#include "fpga_agg/aggregator/slot_table.h"

#include <algorithm>

#include "fpga_agg/aggregator/source_set.h"
#include "hw/core/error.h"

namespace fredsim::agg {

double expansion(Accumulator accumulator, hw::DType dtype) {
  return accumulator == Accumulator::fp32 ? 4.0 / static_cast<double>(hw::size_of(dtype)) : 1.0;
}

SessionId SlotTable::open(const SessionConfig& config) {
  if (config.sources > 64) throw hw::InternalError("an aggregator's session with more than 64 sources");
  Session session;
  session.config = config;
  session.expected = all_of(config.sources);
  session.next.assign(config.sources, 0);
  session.received.assign(config.sources, 0);
  if (config.sources == 0) session.base = config.packets;
  sessions_.push_back(std::move(session));
  const auto id = static_cast<SessionId>(sessions_.size() - 1);
  if (!done(id)) open_.push_back(id);
  return id;
}

SlotTable::Entry& SlotTable::entry(Session& session, std::uint64_t packet) {
  while (session.base + session.entries.size() <= packet) session.entries.emplace_back();
  return session.entries[packet - session.base];
}

std::uint32_t SlotTable::elements(const Session& session, std::uint64_t packet) const {
  return packet + 1 == session.config.packets ? session.config.last_elements : session.config.packet_elements;
}

bool SlotTable::wide(const Session& session) const {
  return config_.accumulator == Accumulator::fp32 && session.config.dtype != hw::DType::int32;
}

/// Of accumulators, or of one packet kept as it is.
std::uint64_t SlotTable::cost(const Session& session, std::uint64_t packet) const {
  const std::uint64_t bytes = std::uint64_t{elements(session, packet)} * hw::size_of(session.config.dtype);
  if (config_.organization == Organization::buffer_per_source || !wide(session)) return bytes;
  return std::uint64_t{elements(session, packet)} * sizeof(float);
}

std::uint64_t SlotTable::slot_bytes(const SessionConfig& config) const {
  if (config.sources < 2) return 0;
  const std::uint64_t bytes = std::uint64_t{config.packet_elements} * hw::size_of(config.dtype);
  if (config_.organization == Organization::buffer_per_source) return bytes * (config.sources - 1);
  const bool in_fp32 = config_.accumulator == Accumulator::fp32 && config.dtype != hw::DType::int32;
  return in_fp32 ? std::uint64_t{config.packet_elements} * sizeof(float) : bytes;
}

/// The slot of a packet, a fresh one if it has none.
SlotTable::Slot& SlotTable::slot_for(Session& session, std::uint64_t packet) {
  Entry& e = entry(session, packet);
  if (e.slot == no_slot) {
    if (free_.empty()) {
      slots_.emplace_back();
      free_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
    }
    e.slot = free_.back();
    free_.pop_back();
    slots_[e.slot].seen = slots_[e.slot].bypassed = slots_[e.slot].bytes = 0;
    if (session.missing.count(packet) > 0) session.with_slot.insert(packet);
  }
  return slots_[e.slot];
}

void SlotTable::miss(Session& session, std::uint64_t packet, std::uint64_t sources) {
  session.missing[packet] |= sources;
  if (entry(session, packet).slot != no_slot) session.with_slot.insert(packet);
}

void SlotTable::use(Slot& slot, std::uint64_t bytes) {
  slot.bytes += bytes;
  used_ += bytes;
  peak_ = std::max(peak_, used_);
}

/// Frees what a packet above this one has buffered, the highest first: older packets have precedence, or
/// newer ones could fill the memory and none complete.
bool SlotTable::evict_above(SessionId session, std::uint64_t packet) {
  SessionId from = 0;
  std::uint64_t highest = 0;
  bool found = false;
  for (const SessionId s : open_) {
    Session& other = sessions_[s];
    for (std::size_t i = other.entries.size(); i-- > 0;) {
      const Entry& e = other.entries[i];
      if (e.slot == no_slot || slots_[e.slot].seen == 0) continue;
      const std::uint64_t at = other.base + i;
      const bool above = at > packet || (at == packet && s > session);
      if (above && (!found || at >= highest)) {
        from = s;
        highest = at;
        found = true;
      }
      break;
    }
  }
  if (!found) return false;
  Session& other = sessions_[from];
  Entry& e = entry(other, highest);
  miss(other, highest, slots_[e.slot].seen);
  for (std::uint32_t source = 0; source < other.config.sources; ++source) {
    if ((slots_[e.slot].seen & bit(source)) != 0) --other.received[source];
  }
  used_ -= slots_[e.slot].bytes;
  const std::uint64_t bypassed = slots_[e.slot].bypassed;
  slots_[e.slot].bytes = 0;
  slots_[e.slot].seen = 0;
  if (bypassed == 0) {
    free_.push_back(e.slot);
    e.slot = no_slot;
    other.with_slot.erase(highest);
  }
  return true;
}

bool SlotTable::make_room(std::uint64_t bytes, SessionId session, std::uint64_t packet) {
  const std::uint64_t capacity = config_.memory.bytes();
  if (bytes > capacity) return false;
  while (used_ > capacity - bytes) {
    if (config_.organization != Organization::buffer_per_source || config_.overflow != Overflow::drop) {
      return false;
    }
    if (!evict_above(session, packet)) return false;
  }
  return true;
}

SlotTable::Outcome SlotTable::overflow(Session& session, std::uint32_t source, std::uint64_t packet) {
  if (config_.overflow == Overflow::drop) {
    miss(session, packet, bit(source));
    return Outcome::dropped;
  }
  slot_for(session, packet).bypassed |= bit(source);
  ++session.received[source];
  return Outcome::bypassed;
}

SlotTable::Outcome SlotTable::arrive(SessionId id, std::uint32_t source, std::uint64_t packet,
                                     const std::byte* data) {
  if (id >= sessions_.size() || source >= sessions_[id].config.sources ||
      packet >= sessions_[id].config.packets) {
    throw hw::InternalError("a packet for an aggregator's session, source or packet that does not exist");
  }
  Session& session = sessions_[id];
  if (packet < session.base || (session.expected & bit(source)) == 0) return Outcome::late;
  Entry* e = &entry(session, packet);
  if (e->done) return Outcome::late;
  const std::uint64_t here = e->slot == no_slot ? 0 : slots_[e->slot].seen | slots_[e->slot].bypassed;
  if ((here & bit(source)) != 0) return Outcome::duplicate;
  for (auto* asked : {&session.requested, &session.missing}) {
    const auto found = asked->find(packet);
    if (found != asked->end() && (found->second &= ~bit(source)) == 0) asked->erase(found);
  }
  if (session.missing.count(packet) == 0) session.with_slot.erase(packet);
  if (((here | bit(source)) & session.expected) == session.expected) {
    ++session.received[source];
    finish(session, packet, source, data);
    return Outcome::complete;
  }
  const bool buffered = config_.organization == Organization::buffer_per_source;
  const bool reserved = e->slot != no_slot && slots_[e->slot].bytes > 0;
  if (buffered || !reserved) {
    // What requests() has set aside for this packet is used first.
    const std::uint64_t needed = cost(session, packet);
    const std::uint64_t aside =
        buffered && e->slot != no_slot ? slots_[e->slot].bytes - count(slots_[e->slot].seen) * needed : 0;
    if (aside < needed) {
      if (!make_room(needed, id, packet)) return overflow(session, source, packet);
      use(slot_for(session, packet), needed);
      e = &entry(session, packet);
    }
  }
  ++session.received[source];
  store(session, slots_[e->slot], source, packet, data);
  return Outcome::kept;
}

void SlotTable::store(Session& session, Slot& slot, std::uint32_t source, std::uint64_t packet,
                      const std::byte* data) {
  if (slot.seen == 0) slot.with_data = data != nullptr;
  if (data != nullptr) {
    if (config_.organization == Organization::buffer_per_source) {
      slot.packets.resize(session.config.sources);
      slot.packets[source].assign(
          data, data + std::size_t{elements(session, packet)} * hw::size_of(session.config.dtype));
    } else {
      add(session, slot, packet, data, slot.seen == 0);
    }
  }
  slot.seen |= bit(source);
}

/// With `source` no source (config.sources), the sum is closed without a last packet.
void SlotTable::finish(Session& session, std::uint64_t packet, std::uint32_t source, const std::byte* data) {
  Entry& e = entry(session, packet);
  const std::uint32_t n = elements(session, packet);
  const bool last = source < session.config.sources;
  const std::uint64_t seen = e.slot == no_slot ? 0 : slots_[e.slot].seen;
  result_ = Sum{nullptr, n, count(seen) + (last ? 1 : 0)};
  if (seen == 0 && last && data != nullptr) {
    output_.assign(data, data + std::size_t{n} * hw::size_of(session.config.dtype));
    result_.data = output_.data();
  } else if (seen != 0 && slots_[e.slot].with_data) {
    Slot& slot = slots_[e.slot];
    if (config_.organization == Organization::buffer_per_source) {
      finish_buffered(session, slot, source, data, n);
    } else {
      if (last) add(session, slot, packet, data, false);
      round_result(session, slot.accumulator, n);
    }
  }
  release(session, packet);
}

void SlotTable::release(Session& session, std::uint64_t packet) {
  Entry& e = entry(session, packet);
  if (e.slot != no_slot) {
    used_ -= slots_[e.slot].bytes;
    slots_[e.slot].bytes = 0;
    slots_[e.slot].seen = slots_[e.slot].bypassed = 0;
    free_.push_back(e.slot);
    e.slot = no_slot;
  }
  e.done = true;
  session.missing.erase(packet);
  session.with_slot.erase(packet);
  session.requested.erase(packet);
  while (!session.entries.empty() && session.entries.front().done) {
    session.entries.pop_front();
    ++session.base;
  }
  if (session.base >= session.config.packets) {
    open_.erase(std::remove_if(open_.begin(), open_.end(), [this](SessionId id) { return done(id); }),
                open_.end());
  }
}

}  // namespace fredsim::agg
