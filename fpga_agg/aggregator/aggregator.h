#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "fpga_agg/aggregator/slot_table.h"
#include "fpga_agg/wan/wan_flows.h"
#include "hw/link/context.h"
#include "hw/link/protocol.h"
#include "hw/observe/probe.h"

namespace fredsim::agg {

/// What an aggregator does about a source that has stopped, after it has been asked for its packets again.
enum class OnTimeout : std::uint8_t {
  wait,     ///< it is reported, and waited for
  partial,  ///< sums are passed on without it
  abort,    ///< the round is given up
};

/// An FPGA in line between the WAN router and a site: adds up, packet by packet, what the other sites of the
/// round send, and passes the sums on. Control packets pass through to the site.
///
/// Every packet takes the data path for the larger of bytes / (width x clock) and memory traffic / memory
/// bandwidth, one after the other in the order of arrival. Memory traffic of accumulate_on_arrival: the
/// accumulators are written by the first packet, read and written by the others and read by the last, so two
/// times their bytes; of buffer_per_source: each packet is written once and read once. What goes to the site
/// waits for the line without limit.
class Aggregator : public sc_core::sc_module, private hw::PacketSink, private hw::CreditSink {
 public:
  struct Config {
    SlotTable::Config slots;
    std::uint32_t site = 0;
    std::uint32_t sites = 0;
    std::vector<std::string> names = {};  ///< of the sites, for waveforms; none: their numbers
    hw::Bandwidth data_path;              ///< width x clock; 0: no limit
    hw::Bandwidth memory_bandwidth;       ///< 0: no limit
    hw::Bandwidth line;                   ///< to the site; 0: no limit
    hw::Time timeout;                     ///< without a packet that is waited for
    std::uint32_t retries = 3;            ///< times it is asked for before it is reported
    OnTimeout on_timeout = OnTimeout::wait;
    bool windows = false;             ///< sources are told what has passed
    std::uint64_t packet_memory = 0;  ///< that one packet takes: with less left the memory counts as full
  };

  struct Statistics {
    std::uint64_t packets = 0;  ///< of data that came in
    std::uint64_t bytes = 0;    ///< of these, headers included
    std::uint64_t sums = 0;
    std::uint64_t dropped = 0;
    std::uint64_t bypassed = 0;
    std::uint64_t resent = 0;  ///< packets asked for again
    std::uint64_t late = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t partial = 0;  ///< sums passed on without all updates
    hw::Time busy;              ///< of the data path
    hw::Time queued;            ///< the longest wait for it
  };

  /// A source that stopped.
  struct Silence {
    std::uint32_t round = 0;
    std::uint32_t site = 0;
    hw::Time at;
    std::uint64_t packet = 0;  ///< the first that is missing
  };

  hw::PacketTargetSocket in;         ///< from the router
  hw::PacketInitiatorSocket out;     ///< to the site
  hw::PacketInitiatorSocket to_wan;  ///< control packets, to the router

  Aggregator(sc_core::sc_module_name name, hw::Context& context, const std::string& path,
             const Config& config);

  /// In round `round` the sites of `sources` send this one their updates; numbers of rounds ascend.
  void open(std::uint32_t round, const std::vector<std::uint32_t>& sources, const SessionConfig& session);
  /// Packets of the round can arrive from now on: timeouts count from `at`.
  void begin(std::uint32_t round, hw::Time at);

  const Statistics& statistics() const { return statistics_; }
  const SlotTable& slots() const { return slots_; }
  hw::ProbeStatistics occupancy(hw::Time end) const { return occupancy_.statistics(end); }
  std::unique_ptr<hw::TimeHistogram> histogram(hw::Time end) const { return occupancy_.histogram(end); }
  const std::vector<Silence>& silences() const { return silences_; }
  /// Rounds that were given up.
  const std::vector<std::uint32_t>& aborted() const { return aborted_; }
  /// For each round that is under way, which sites the next sum waits for.
  std::vector<Silence> waiting() const;

 private:
  struct Round {
    std::uint32_t number = 0;
    std::vector<std::uint32_t> sources;   ///< by index: the site
    std::vector<std::uint32_t> index_of;  ///< by site; none if it is no source
    std::vector<std::uint32_t> strikes;   ///< by index
    std::vector<hw::Time> heard;          ///< by index: its last packet
    hw::Time progress;                    ///< when a sum last passed, or the round began
    std::uint64_t told = 0;               ///< packets passed that the sources know of
    bool begun = false;
    bool reported = false;
    bool aborted = false;
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  void packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  hw::PortStatus port_status(hw::PortId port) override;
  void credit_returns(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  void receive(Round& round, SessionId session, hw::Payload& payload, hw::Time at);
  hw::Time through_data_path(std::uint32_t wire_bytes, std::uint32_t data_bytes, hw::Time at);
  /// To the site, one packet after the other.
  void pass_on(hw::Payload& payload, hw::Time at);
  void pass_sum(SessionId session, std::uint64_t packet, const hw::PacketHeader& header, hw::Time at);
  void progress(SessionId session, hw::Time at);
  void send_requests(hw::Time at);
  void send_control(WanControl what, std::uint32_t round, std::uint32_t to, std::uint64_t number,
                    hw::Time at);
  void show(hw::Time at, bool overflow = false);
  void arm(hw::Time at);
  void check_silence();
  void give_up(SessionId session, std::uint32_t source, hw::Time at);

  hw::Context& context_;
  Config config_;
  WanFlows flows_;
  SlotTable slots_;
  std::vector<Round> rounds_;          ///< by session
  std::vector<SessionId> session_of_;  ///< by round; none for a round without sources
  std::vector<SessionId> open_;        ///< begun and not done
  Statistics statistics_;
  std::vector<Silence> silences_;
  std::vector<std::uint32_t> aborted_;
  hw::Time data_path_free_;
  hw::Time out_free_;
  bool armed_ = false;
  hw::Probe occupancy_;
  std::vector<std::optional<hw::Probe>> progress_;  ///< by site, but its own: the last packet
  hw::Probe stall_;
  sc_core::sc_event timeout_event_;
};

}  // namespace fredsim::agg
