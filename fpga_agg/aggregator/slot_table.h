#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "fpga_agg/schedule/memory_law.h"
#include "hw/core/dtype.h"
#include "hw/core/quantity.h"

namespace fredsim::agg {

/// Accumulators while a sum is under way.
enum class Accumulator : std::uint8_t {
  as_wide,  ///< in the elements' own format
  fp32,     ///< FP32 for FP16 and BF16 elements; FP32 and INT32 stay what they are
};

/// What becomes of a packet for which there is no memory.
enum class Overflow : std::uint8_t {
  drop,    ///< it counts as missing and is asked for again when there is room
  bypass,  ///< it goes on unsummed
};

/// Bytes an accumulator takes per byte on the wire.
double expansion(Accumulator accumulator, hw::DType dtype);

/// What one aggregator adds up in one round: a stream of equally many packets from each source.
struct SessionConfig {
  std::uint32_t sources = 0;  ///< up to 64
  std::uint64_t packets = 0;  ///< of each source
  std::uint32_t packet_elements = 0;
  std::uint32_t last_elements = 0;  ///< in the last packet
  hw::DType dtype = hw::DType::fp16;
  hw::ReduceOp op = hw::ReduceOp::sum;
};

using SessionId = std::uint32_t;

/// The slot memory of an aggregator: for every packet number of a session a slot that holds what has arrived
/// of it and the set of sources seen. Slots are found by session and packet number, so that a packet which
/// comes late can never reach the slot's next user. A packet is counted once, however often it arrives.
///
/// accumulate_on_arrival: the first packet takes a slot of accumulators, the others are added to it in the
/// order of arrival. buffer_per_source: packets are kept as they are and added in the order of the sources
/// when the last one is there, which itself is not kept. In either, what completes a sum needs no memory.
class SlotTable {
 public:
  struct Config {
    hw::Capacity memory;
    Organization organization = Organization::accumulate_on_arrival;
    Accumulator accumulator = Accumulator::fp32;
    Overflow overflow = Overflow::drop;
  };

  enum class Outcome : std::uint8_t {
    kept,       ///< added, or stored
    complete,   ///< the sum is there: take it with result()
    duplicate,  ///< of a packet whose sum is under way
    late,       ///< of a packet whose sum has gone
    dropped,
    bypassed,
  };

  /// A packet to be asked for again.
  struct Request {
    SessionId session = 0;
    std::uint32_t source = 0;
    std::uint64_t packet = 0;
  };

  /// A finished sum. `data` is null without data, and valid until the next call.
  struct Sum {
    const std::byte* data = nullptr;
    std::uint32_t elements = 0;
    std::uint32_t sources = 0;  ///< that are in it
  };

  explicit SlotTable(const Config& config) : config_(config) {}

  /// Numbers follow each other from 0.
  SessionId open(const SessionConfig& config);

  /// Packet `packet` of source `source` is here; `data` its elements, null for timing only. Throws
  /// InternalError for a session, source or packet that does not exist.
  Outcome arrive(SessionId session, std::uint32_t source, std::uint64_t packet, const std::byte* data);
  /// After Outcome::complete, and after take_excluded.
  const Sum& result() const { return result_; }

  /// Everything between the last packet of a source and this one is missing. Streams arrive in order, so
  /// whoever knows a packet to be from the stream, not resent, calls this before arrive().
  void note_stream(SessionId session, std::uint32_t source, std::uint64_t packet);
  /// What a source was asked for again is still missing; with `stopped` so is all the rest of its stream.
  void note_silence(SessionId session, std::uint32_t source, bool stopped);

  /// Missing packets that can be asked for now, lowest numbers first: of each only when its slot is there or
  /// memory for it can be set aside, so that it will not be dropped again. Each is given out once, until
  /// note_silence.
  std::vector<Request> requests();

  /// Nothing more is expected of a source in a session; what still comes of it is late.
  void exclude(SessionId session, std::uint32_t source);
  /// Takes the lowest sum that is complete because of an exclusion, and says its packet; nothing when there
  /// is none. result() has no sources when all of a packet's were excluded.
  std::optional<std::uint64_t> take_excluded(SessionId session);
  /// Whether sources were excluded: sums are then not of all sources.
  bool partial(SessionId session) const;

  bool done(SessionId session) const;
  /// Packets whose sums have gone, without a gap from the first on.
  std::uint64_t passed(SessionId session) const { return sessions_[session].base; }
  /// Whether anything of `source` is not here yet.
  bool waits_for(SessionId session, std::uint32_t source) const;
  /// Whether the lowest sum that has not gone lacks the packet of `source`.
  bool next_lacks(SessionId session, std::uint32_t source) const;
  /// Whether anything is missing that has not been asked for.
  bool any_missing() const;
  std::uint32_t sessions() const { return static_cast<std::uint32_t>(sessions_.size()); }
  const SessionConfig& session(SessionId id) const { return sessions_[id].config; }

  std::uint64_t used() const { return used_; }
  std::uint64_t peak() const { return peak_; }
  /// The bytes that one slot of a full packet takes, all but the completing source there.
  std::uint64_t slot_bytes(const SessionConfig& config) const;

 private:
  struct Slot {
    std::uint64_t seen = 0;      ///< sources whose packets are in it
    std::uint64_t bypassed = 0;  ///< sources whose packets went on unsummed
    std::uint64_t bytes = 0;     ///< of memory
    bool with_data = false;
    std::vector<std::byte> accumulator;
    std::vector<std::vector<std::byte>> packets;  ///< by source
  };
  /// Of one packet number.
  struct Entry {
    std::uint32_t slot = no_slot;
    bool done = false;
  };
  struct Session {
    SessionConfig config;
    std::uint64_t expected = 0;                        ///< sources that are not excluded
    std::uint64_t base = 0;                            ///< all below are done
    std::deque<Entry> entries;                         ///< from base on, as far as anything is known
    std::vector<std::uint64_t> next;                   ///< by source: the next packet of its stream
    std::vector<std::uint64_t> received;               ///< by source: packets that count
    std::map<std::uint64_t, std::uint64_t> missing;    ///< packet -> sources, not asked for
    std::set<std::uint64_t> with_slot;                 ///< those of `missing` that have a slot
    std::map<std::uint64_t, std::uint64_t> requested;  ///< packet -> sources, asked for
  };
  static constexpr std::uint32_t no_slot = ~std::uint32_t{0};

  Entry& entry(Session& session, std::uint64_t packet);
  void miss(Session& session, std::uint64_t packet, std::uint64_t sources);
  void ask(SessionId id, std::uint64_t packet, std::vector<Request>& result);
  bool set_aside(SessionId id, std::uint64_t packet);
  Slot& slot_for(Session& session, std::uint64_t packet);
  std::uint32_t elements(const Session& session, std::uint64_t packet) const;
  std::uint64_t cost(const Session& session, std::uint64_t packet) const;
  bool make_room(std::uint64_t bytes, SessionId session, std::uint64_t packet);
  bool evict_above(SessionId session, std::uint64_t packet);
  void store(Session& session, Slot& slot, std::uint32_t source, std::uint64_t packet, const std::byte* data);
  void add(const Session& session, Slot& slot, std::uint64_t packet, const std::byte* data, bool first);
  void finish(Session& session, std::uint64_t packet, std::uint32_t source, const std::byte* data);
  void finish_buffered(const Session& session, Slot& slot, std::uint32_t source, const std::byte* data,
                       std::uint32_t count);
  void round_result(const Session& session, const std::vector<std::byte>& accumulator, std::uint32_t count);
  bool wide(const Session& session) const;
  void release(Session& session, std::uint64_t packet);
  void use(Slot& slot, std::uint64_t bytes);
  Outcome overflow(Session& session, std::uint32_t source, std::uint64_t packet);

  Config config_;
  std::vector<Session> sessions_;
  std::vector<SessionId> open_;  ///< sessions that are not done
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::uint64_t used_ = 0;
  std::uint64_t peak_ = 0;
  Sum result_;
  std::vector<std::byte> output_;
};

}  // namespace fredsim::agg
