#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "hw/core/packet_format.h"
#include "hw/core/quantity.h"
#include "hw/link/fifo.h"
#include "hw/link/protocol.h"
#include "hw/link/serialization.h"
#include "hw/link/transmitter.h"

namespace fredsim::hw {

/// The rules of the packet protocol, as PacketMonitor names them.
enum class ProtocolRule {
  forward_phase,   ///< only BEGIN_REQ goes forward
  backward_phase,  ///< only CREDIT goes backward
  response,        ///< both calls return TLM_ACCEPTED
  extension,       ///< a packet carries a PacketExtension
  pooled,          ///< a payload is reference-counted by a memory manager
  size,            ///< wire bytes cover header and elements and are no more than a packet's
  time_order,      ///< heads pass in the order of the calls
  bandwidth,       ///< a head does not pass before the tail of the packet in front of it
  credit,    ///< never more in flight and in the buffer than the receiver's capacity, on each virtual channel
  sequence,  ///< the packets of a flow pass once each, in sequence
  read_only,       ///< nothing of a packet changes between sending and credit
  credit_unknown,  ///< a credit is for a packet that has passed and has not been credited yet
  credit_early,    ///< a credit does not leave the receiver before the packet's tail has arrived
  credits_home,    ///< at the end every packet has been credited
};
std::string_view to_string(ProtocolRule);

/// What a monitor publishes of each packet that passes.
struct PacketRecord {
  const char* monitor = "";  ///< its hierarchical name, valid as long as the monitor
  Time at;                   ///< when the head passes the monitor
  Time tail_at;
  PacketHeader header;
  std::uint64_t offset = 0;         ///< of the first element in the flow, bytes
  std::uint32_t bytes = 0;          ///< of elements
  const std::byte* data = nullptr;  ///< valid during the call only; null in timing-only runs
};

struct Violation {
  ProtocolRule rule;
  Time at;
  std::string message;  ///< monitor, time, rule, packet
};

struct MonitorConfig {
  enum class Side { sender, receiver };

  Capacities receiver{};  ///< capacity of each virtual channel's buffer at the receiver
  Bandwidth bandwidth;
  Time latency;              ///< of the link, one way
  Side side = Side::sender;  ///< which end of the link the monitor sits at
  PacketFormat format;
  bool throws = true;  ///< throw InternalError at a violation; otherwise only keep it
  /// Packets can be lost and are sent again by their sources: rule `sequence` does not hold.
  bool resends = false;
};

/// Checks the packet protocol between any two sockets, and publishes what passes. It changes nothing.
class PacketMonitor : public sc_core::sc_module,
                      private tlm::tlm_fw_transport_if<PacketProtocol>,
                      private tlm::tlm_bw_transport_if<PacketProtocol> {
 public:
  tlm::tlm_target_socket<32, PacketProtocol> in;
  tlm::tlm_initiator_socket<32, PacketProtocol> out;
  tlm::tlm_analysis_port<PacketRecord> passed;

  PacketMonitor(sc_core::sc_module_name name, const MonitorConfig& config);

  /// To be called when all traffic has ended: credits must be home.
  void finish();
  const std::vector<Violation>& violations() const { return violations_; }

 private:
  /// A packet that has passed and is not credited.
  struct Outstanding {
    PacketRef packet;  ///< so that its payload is not used again while a credit for it is due
    std::uint64_t fingerprint = 0;
    PacketHeader header;
    Time tail_at_receiver;
  };
  struct Credit {
    Time at_sender;
    std::uint64_t bytes = 0;
  };
  struct Channel {
    std::uint64_t in_flight = 0;
    Fifo<Credit> returning;
    Fifo<Outstanding> outstanding;  ///< in the order in which they passed, which is nearly that of credits
  };

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(Payload& payload, sc_core::sc_time& delay) override { out->b_transport(payload, delay); }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  unsigned int transport_dbg(Payload& payload) override { return out->transport_dbg(payload); }

  void check_packet(Payload& payload, const PacketHeader& header, Time at);
  void check_credit(Payload& payload, Time at);
  void violate(ProtocolRule rule, Time at, const std::string& what);

  MonitorConfig config_;
  Time to_sender_;    ///< from the monitor back to the sender
  Time to_receiver_;  ///< from the monitor on to the receiver
  Serialization serialization_;
  std::array<Channel, virtual_channels> channels_;
  std::unordered_map<FlowId, std::uint64_t> next_sequence_;
  bool any_ = false;
  Time last_head_;
  Time last_tail_;
  std::vector<Violation> violations_;
};

}  // namespace fredsim::hw
