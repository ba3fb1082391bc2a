#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "fpga_agg/wan/wan_flows.h"
#include "hw/core/dtype.h"
#include "hw/link/context.h"
#include "hw/link/protocol.h"
#include "hw/link/serialization.h"
#include "hw/observe/probe.h"

namespace fredsim::agg {

/// A site as one accelerator. In every round it sends its update to the other sites of its clique, packet by
/// packet, sends again what it is asked for, and adds what comes back to its own update, which so becomes the
/// sum of the clique's.
class WanSite : public sc_core::sc_module, private hw::PacketSink, private hw::CreditSink {
 public:
  struct Config {
    std::uint32_t site = 0;
    std::uint32_t sites = 0;
    hw::Bandwidth access;   ///< of the line out
    bool multicast = true;  ///< one stream for all; false: a copy for each
    hw::DType dtype = hw::DType::fp16;
    std::uint64_t packets = 0;          ///< of an update
    std::uint32_t packet_elements = 0;  ///< of every packet but the last
    std::uint32_t last_elements = 0;
    std::uint32_t train = 1;  ///< packets announced together, where nothing can come between
  };

  /// One round of this site.
  struct Round {
    std::vector<std::uint32_t> peers;  ///< the other sites of the clique, ascending; none: it waits
    hw::Time interval;                 ///< between the packets of the stream
    std::uint64_t window = 0;          ///< packets sent that have not passed everywhere; 0: no limit
  };

  struct Statistics {
    std::uint64_t sent_bytes = 0;
    std::uint64_t received_bytes = 0;
    std::uint64_t resent = 0;
    std::uint64_t partial = 0;  ///< packets of sums that lack a site's update
    hw::Time window_stall;      ///< in which the window let nothing out
  };

  hw::PacketInitiatorSocket out;  ///< to the router
  hw::PacketTargetSocket in;      ///< from the aggregator, or from the router where there is none

  WanSite(sc_core::sc_module_name name, hw::Context& context, const std::string& path, const Config& config);

  /// The site's first update, whole; none: timing only.
  void set_update(std::vector<std::byte> data);
  /// Told when all of a round has arrived, and when that is (now or later).
  std::function<void(std::uint32_t round, hw::Time at)> round_done;

  /// Once it has sent this many packets nothing leaves the site for so long, by default ever: for tests of
  /// what others do then.
  void fail_after(std::uint64_t packets, hw::Time silence = hw::Time::max()) {
    fails_after_ = packets;
    silence_ = silence;
  }
  /// Round `number`, one after the one before, begins: packets may arrive, and the first leaves at `at`.
  void begin(std::uint32_t number, const Round& round, hw::Time at);

  const Statistics& statistics() const { return statistics_; }
  /// After its last round; empty without data.
  const std::vector<std::byte>& update() const { return updates_.back(); }
  std::uint32_t site() const { return config_.site; }

 private:
  struct Receiving {
    std::uint32_t peers = 0;
    std::uint64_t open_packets = 0;     ///< whose sums are not complete here
    std::vector<std::uint8_t> arrived;  ///< updates, by packet; `closed` where no more will come
    hw::Time last;
  };
  static constexpr std::uint8_t closed = 255;

  void packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  hw::PortStatus port_status(hw::PortId port) override;
  void credit_returns(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  void hear(const hw::Payload& payload);
  void add(Receiving& receiving, const hw::Payload& payload, hw::Time at);
  void check_done();
  void show_stall(const char* cause, hw::Time at);
  void send();
  hw::Time send_packet(std::uint32_t round, std::uint64_t packet, hw::FlowId flow, hw::Time at);
  std::uint64_t allowed() const;

  hw::Context& context_;
  Config config_;
  WanFlows flows_;
  hw::Serialization serialization_;
  Statistics statistics_;
  std::vector<std::vector<std::byte>> updates_;  ///< before each round begun, and after the last
  std::vector<Receiving> receiving_;             ///< by round
  struct Resend {
    std::uint32_t round, to;
    std::uint64_t packet;
  };
  std::deque<Resend> resends_;
  Round round_;  ///< being sent
  std::uint32_t number_ = 0;
  std::uint64_t next_ = 0;     ///< packet of the stream
  std::size_t next_peer_ = 0;  ///< of its copies, where nothing is multicast
  hw::Time stream_at_;         ///< the next packet's time by the pace
  hw::Time line_free_;
  std::vector<std::uint64_t> passed_;  ///< by peer
  hw::Time stalled_since_;
  bool stalled_ = false;
  std::uint64_t fails_after_ = ~std::uint64_t{0};
  hw::Time silence_;
  hw::Time silent_until_;
  std::uint64_t sent_packets_ = 0;
  hw::Probe round_probe_;
  hw::Probe sent_probe_;
  hw::Probe stall_probe_;
  sc_core::sc_event send_event_;
};

}  // namespace fredsim::agg
