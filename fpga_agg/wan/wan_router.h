#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <systemc>
#include <vector>

#include "fpga_agg/schedule/rates.h"
#include "hw/core/time_sum.h"
#include "hw/link/context.h"
#include "hw/link/fifo.h"
#include "hw/link/protocol.h"
#include "hw/link/serialization.h"

namespace fredsim::agg {

/// A router of the WAN at one node: copies what arrives to the ports of the packet's flow. Ports are
/// numbered: first the lines to other nodes, then the local side, where packets come from the site (and its
/// aggregator) and go to the aggregator.
///
/// access_only: packets pass at once, whatever else is on the lines. all_links: every line out sends one
/// packet at a time, in the order of arrival, from a queue without limit. No credits flow between routers: a
/// WAN has none, and what is too much for it is lost or waits. On the local side the rules of the packet
/// protocol hold.
///
/// Jitter and loss come upon data packets where they leave the WAN: a packet is late by 0 to `jitter`, evenly
/// distributed, but never before one of the same source that is ahead of it, and gets lost with probability
/// `loss`; by the seed, whatever else happens.
class WanRouter : public sc_core::sc_module, private hw::PacketSink, private hw::CreditSink {
 public:
  struct Config {
    std::uint32_t node = 0;
    std::uint32_t sites = 0;
    Contention contention = Contention::access_only;
    std::vector<hw::Bandwidth> lines;  ///< out, by port
    std::uint32_t lines_in = 0;
    bool site = true;        ///< there is one here
    bool aggregator = true;  ///< and an aggregator before it
    hw::Time jitter;
    double loss = 0;
    std::uint64_t seed = 1;
    /// Of the local line out; 0: as fast as packets come.
    hw::Bandwidth local;
  };
  struct Statistics {
    std::uint64_t lost = 0;
    std::vector<hw::TimeSum> queued;         ///< by line out
    std::vector<std::uint64_t> peak_queued;  ///< by line out, bytes that had arrived and not left
  };

  std::vector<std::unique_ptr<hw::PacketTargetSocket>> in;
  std::vector<std::unique_ptr<hw::PacketInitiatorSocket>> out;
  std::unique_ptr<hw::PacketTargetSocket> from_site;        ///< null without a site, as `local`
  std::unique_ptr<hw::PacketTargetSocket> from_aggregator;  ///< null without an aggregator
  std::unique_ptr<hw::PacketInitiatorSocket>
      local;  ///< to the aggregator, or where there is none to the site

  WanRouter(sc_core::sc_module_name name, hw::Context& context, const Config& config);

  /// Packets of `flow` leave through these lines and, with `to_local`, here. To be set before any arrives.
  void route(hw::FlowId flow, const std::vector<std::uint32_t>& lines, bool to_local);

  const Statistics& statistics() const { return statistics_; }

 private:
  struct Arrival {
    hw::PacketRef packet;
    hw::Time at;
  };
  /// Packets that arrive here from one source, in order.
  struct Stream {
    hw::Fifo<Arrival> queue;
    hw::Time last;
    std::uint64_t drawn = 0;  ///< random numbers
  };
  static constexpr std::uint64_t local_bit = std::uint64_t{1} << 63;

  void packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  hw::PortStatus port_status(hw::PortId port) override;
  void credit_returns(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  void forward(hw::Payload& payload, hw::Time at);
  void queue_line(std::uint32_t line, hw::Payload& payload, hw::Time at);
  void deliver_here(hw::Payload& payload, hw::Time at);
  double draw(std::uint32_t source, std::uint64_t number) const;
  void transit();
  void deliver();

  hw::Context& context_;
  Config config_;
  Statistics statistics_;
  std::vector<std::uint64_t> routes_;  ///< by flow: bits of lines, and local_bit
  std::vector<hw::Serialization> serialization_;
  std::vector<hw::Time> line_free_;
  std::vector<hw::Fifo<Arrival>> waiting_;  ///< by port in, all_links only
  std::vector<Stream> streams_;             ///< by source; behind them control packets, by their source
  hw::Serialization local_serialization_;
  hw::Time local_free_;
  sc_core::sc_event transit_event_;
  sc_core::sc_event deliver_event_;
};

}  // namespace fredsim::agg
