#pragma once

#include <systemc>
#include <tlm>
#include <vector>

#include "hw/link/protocol.h"
#include "hw/link/sim_time.h"

namespace fredsim::test {

/// Sends whatever it is told to: the sockets of the model would refuse.
class RogueSender : public sc_core::sc_module, private tlm::tlm_bw_transport_if<hw::PacketProtocol> {
 public:
  tlm::tlm_initiator_socket<32, hw::PacketProtocol> out;
  tlm::tlm_sync_enum answer_to_credit = tlm::TLM_ACCEPTED;
  int credits = 0;

  explicit RogueSender(sc_core::sc_module_name name) : sc_module(name), out("out") { out.bind(*this); }

  void send(hw::Payload& payload, hw::Time at, tlm::tlm_phase phase = tlm::BEGIN_REQ) {
    sc_core::sc_time delay = hw::to_sc(at - hw::now());
    out->nb_transport_fw(payload, phase, delay);
  }

 private:
  tlm::tlm_sync_enum nb_transport_bw(hw::Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    ++credits;
    return answer_to_credit;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

/// Takes whatever comes and gives back what it is told to.
class RogueReceiver : public sc_core::sc_module, private tlm::tlm_fw_transport_if<hw::PacketProtocol> {
 public:
  tlm::tlm_target_socket<32, hw::PacketProtocol> in;
  tlm::tlm_sync_enum answer_to_packet = tlm::TLM_ACCEPTED;
  int packets = 0;

  explicit RogueReceiver(sc_core::sc_module_name name) : sc_module(name), in("in") { in.bind(*this); }

  void credit(hw::Payload& payload, hw::Time at, tlm::tlm_phase phase = hw::CREDIT) {
    sc_core::sc_time delay = hw::to_sc(at - hw::now());
    in->nb_transport_bw(payload, phase, delay);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(hw::Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    ++packets;
    return answer_to_packet;
  }
  void b_transport(hw::Payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(hw::Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(hw::Payload&) override { return 0; }
};

}  // namespace fredsim::test
