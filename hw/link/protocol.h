#pragma once

#include <array>
#include <cstdint>
#include <tlm>

#include "hw/core/records.h"
#include "hw/link/packet.h"
#include "hw/link/sim_time.h"

namespace fredsim::hw {

/// Protocol types of every socket that carries packets. Payload and phase are TLM's own, but the class is not
/// tlm_base_protocol_types, so binding a base-protocol socket by mistake does not compile.
///
/// Forward, BEGIN_REQ with `delay`: the packet's head is here at now + delay; its tail follows by size /
/// bandwidth. Backward, CREDIT with `delay`: room for that packet on its virtual channel is free again at now
/// + delay. Both calls return TLM_ACCEPTED; there is no END_REQ and no response. A sender never sends without
/// credit for the whole packet (virtual cut-through), and order is kept on each virtual channel.
struct PacketProtocol {
  using tlm_payload_type = Payload;
  using tlm_phase_type = tlm::tlm_phase;
};

TLM_DECLARE_EXTENDED_PHASE(CREDIT);

/// What a receiver answers to transport_dbg, for each virtual channel.
struct PortStatus {
  std::array<std::uint64_t, virtual_channels> occupancy_bytes{};
  std::array<std::uint64_t, virtual_channels>
      credit_bytes{};  ///< room not promised to a packet; max if unlimited
};

/// Whoever owns a target socket: gets its packets with the time the head arrives (now or later).
class PacketSink {
 public:
  virtual void packet_arrives(PortId port, Payload& payload, Time at) = 0;
  virtual PortStatus port_status(PortId port) = 0;

 protected:
  ~PacketSink() = default;
};

/// Whoever owns an initiator socket: gets the credits with the time from which they count.
class CreditSink {
 public:
  virtual void credit_returns(PortId port, Payload& payload, Time at) = 0;

 protected:
  ~CreditSink() = default;
};

/// Receives packets. `port` is passed through to the sink, so that one sink can own many sockets.
class PacketTargetSocket : public tlm::tlm_target_socket<32, PacketProtocol>,
                           private tlm::tlm_fw_transport_if<PacketProtocol> {
 public:
  PacketTargetSocket(const char* name, PacketSink& sink, PortId port = PortId{});

  /// Room for `payload` is free at the sender from `at` on (latency of the link not counted).
  void credit(Payload& payload, Time at);

  const char* kind() const override { return "PacketTargetSocket"; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned int transport_dbg(Payload& payload) override;

  PacketSink& sink_;
  PortId port_;
};

/// Sends packets.
class PacketInitiatorSocket : public tlm::tlm_initiator_socket<32, PacketProtocol>,
                              private tlm::tlm_bw_transport_if<PacketProtocol> {
 public:
  PacketInitiatorSocket(const char* name, CreditSink& sink, PortId port = PortId{});

  /// The head of `payload` reaches what this socket is bound to at `at`.
  void send(Payload& payload, Time at);
  /// Occupancy and credits of the receiver, by transport_dbg.
  PortStatus status();

  const char* kind() const override { return "PacketInitiatorSocket"; }

 private:
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override;

  CreditSink& sink_;
  PortId port_;
};

}  // namespace fredsim::hw
