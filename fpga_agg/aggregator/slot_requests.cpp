// What slots wait for: packets that are missing, and sources that are given up.
#include <algorithm>

#include "fpga_agg/aggregator/slot_table.h"
#include "fpga_agg/aggregator/source_set.h"

namespace fredsim::agg {

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
