#include "fpga_agg/aggregator/slot_table.h"

#include <algorithm>
#include <cstring>

#include "hw/core/error.h"
#include "hw/core/reduce.h"

namespace fredsim::agg {
namespace {

std::uint64_t bit(std::uint32_t source) {
  return std::uint64_t{1} << source;
}
std::uint64_t all_of(std::uint32_t sources) {
  return sources == 64 ? ~std::uint64_t{0} : bit(sources) - 1;
}
std::uint32_t count(std::uint64_t set) {
  return static_cast<std::uint32_t>(__builtin_popcountll(set));
}

}  // namespace

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

void SlotTable::add(const Session& session, Slot& slot, std::uint64_t packet, const std::byte* data,
                    bool first) {
  const std::size_t n = elements(session, packet);
  const hw::DType dtype = session.config.dtype;
  if (wide(session)) {
    slot.accumulator.resize(n * sizeof(float));
    auto* sums = reinterpret_cast<float*>(slot.accumulator.data());
    if (first) {
      hw::widen_to_fp32(dtype, data, sums, n);
    } else {
      hw::accumulate_fp32(dtype, session.config.op, sums, data, n);
    }
    return;
  }
  slot.accumulator.resize(n * hw::size_of(dtype));
  if (first) {
    std::memcpy(slot.accumulator.data(), data, slot.accumulator.size());
  } else {
    hw::reduce(dtype, session.config.op, slot.accumulator.data(), data, slot.accumulator.data(), n);
  }
}

void SlotTable::round_result(const Session& session, const std::vector<std::byte>& accumulator,
                             std::uint32_t n) {
  if (wide(session)) {
    output_.resize(std::size_t{n} * hw::size_of(session.config.dtype));
    hw::round_from_fp32(session.config.dtype, reinterpret_cast<const float*>(accumulator.data()),
                        output_.data(), n);
  } else {
    output_ = accumulator;
  }
  result_.data = output_.data();
}

void SlotTable::finish_buffered(const Session& session, Slot& slot, std::uint32_t source,
                                const std::byte* data, std::uint32_t n) {
  Slot sum;
  bool first = true;
  const std::uint64_t packet = n == session.config.packet_elements ? 0 : session.config.packets - 1;
  for (std::uint32_t s = 0; s < session.config.sources; ++s) {
    const bool last = s == source;
    if (!last && (slot.seen & bit(s)) == 0) continue;
    const std::byte* one = last ? data : slot.packets[s].data();
    add(session, sum, packet, one, first);
    first = false;
  }
  round_result(session, sum.accumulator, n);
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

void SlotTable::note_stream(SessionId id, std::uint32_t source, std::uint64_t packet) {
  Session& session = sessions_[id];
  if ((session.expected & bit(source)) == 0) return;
  for (std::uint64_t p = session.next[source]; p < packet; ++p) {
    if (p >= session.base && !entry(session, p).done) miss(session, p, bit(source));
  }
  session.next[source] = std::max(session.next[source], packet + 1);
}

void SlotTable::note_silence(SessionId id, std::uint32_t source, bool stopped) {
  Session& session = sessions_[id];
  for (auto asked = session.requested.begin(); asked != session.requested.end();) {
    if ((asked->second & bit(source)) != 0) miss(session, asked->first, bit(source));
    asked->second &= ~bit(source);
    asked = asked->second == 0 ? session.requested.erase(asked) : std::next(asked);
  }
  if (stopped) note_stream(id, source, session.config.packets);
}

void SlotTable::ask(SessionId id, std::uint64_t packet, std::vector<Request>& result) {
  Session& session = sessions_[id];
  const auto found = session.missing.find(packet);
  for (std::uint32_t source = 0; source < session.config.sources; ++source) {
    if ((found->second & bit(source)) != 0) result.push_back({id, source, packet});
  }
  session.requested[packet] |= found->second;
  session.missing.erase(found);
  session.with_slot.erase(packet);
}

/// Memory for all that must be kept of a packet before its sum is complete. Nothing is needed where the
/// packet itself will complete the sum, or can go on unsummed.
bool SlotTable::set_aside(SessionId id, std::uint64_t packet) {
  Session& session = sessions_[id];
  if (config_.overflow == Overflow::bypass || session.config.sources < 2) return true;
  const bool buffered = config_.organization == Organization::buffer_per_source;
  const std::uint64_t all = cost(session, packet) * (buffered ? session.config.sources - 1 : 1);
  const Entry& e = entry(session, packet);
  const std::uint64_t has = e.slot == no_slot ? 0 : slots_[e.slot].bytes;
  if (has >= all) return true;
  if (!make_room(all - has, id, packet)) return false;
  use(slot_for(session, packet), all - has);
  return true;
}

std::vector<SlotTable::Request> SlotTable::requests() {
  std::vector<Request> result;
  for (const SessionId id : open_) {
    Session& session = sessions_[id];
    while (!session.missing.empty()) {
      const std::uint64_t packet = session.missing.begin()->first;
      if (!set_aside(id, packet)) break;
      ask(id, packet, result);
    }
    // Where the slot is there, accumulators need nothing more. Buffered packets give way to the lowest.
    if (config_.organization == Organization::buffer_per_source) continue;
    while (!session.with_slot.empty()) ask(id, *session.with_slot.begin(), result);
  }
  return result;
}

void SlotTable::exclude(SessionId id, std::uint32_t source) {
  Session& session = sessions_[id];
  session.expected &= ~bit(source);
  for (auto* asked : {&session.requested, &session.missing}) {
    for (auto at = asked->begin(); at != asked->end();) {
      at->second &= ~bit(source);
      if (at->second != 0) {
        ++at;
        continue;
      }
      if (asked == &session.missing) session.with_slot.erase(at->first);
      at = asked->erase(at);
    }
  }
}

std::optional<std::uint64_t> SlotTable::take_excluded(SessionId id) {
  Session& session = sessions_[id];
  if (session.expected == 0 && !done(id)) {
    const std::uint64_t packet = session.base;
    entry(session, packet);
    finish(session, packet, session.config.sources, nullptr);
    return packet;
  }
  for (std::size_t i = 0; i < session.entries.size(); ++i) {
    const Entry& e = session.entries[i];
    if (e.done || e.slot == no_slot) continue;
    const std::uint64_t here = slots_[e.slot].seen | slots_[e.slot].bypassed;
    if ((here & session.expected) != session.expected) continue;
    const std::uint64_t packet = session.base + i;
    finish(session, packet, session.config.sources, nullptr);
    return packet;
  }
  return std::nullopt;
}

bool SlotTable::partial(SessionId id) const {
  return sessions_[id].expected != all_of(sessions_[id].config.sources);
}

bool SlotTable::done(SessionId id) const {
  return sessions_[id].base >= sessions_[id].config.packets;
}

bool SlotTable::next_lacks(SessionId id, std::uint32_t source) const {
  const Session& session = sessions_[id];
  if (done(id)) return false;
  if ((session.expected & bit(source)) == 0) return false;
  if (session.entries.empty() || session.entries.front().slot == no_slot) return true;
  const Slot& slot = slots_[session.entries.front().slot];
  return ((slot.seen | slot.bypassed) & bit(source)) == 0;
}

bool SlotTable::any_missing() const {
  return std::any_of(open_.begin(), open_.end(),
                     [this](SessionId id) { return !sessions_[id].missing.empty(); });
}

bool SlotTable::waits_for(SessionId id, std::uint32_t source) const {
  return !done(id) && sessions_[id].received[source] < sessions_[id].config.packets;
}

}  // namespace fredsim::agg
