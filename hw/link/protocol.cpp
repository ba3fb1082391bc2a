#include "hw/link/protocol.h"

#include <fmt/format.h>

#include <cstring>

#include "hw/core/error.h"

namespace fredsim::hw {
namespace {

[[noreturn]] void broken(const sc_core::sc_object& socket, const std::string& what) {
  throw InternalError(fmt::format("{} at {}: {}", socket.name(), to_string(now()), what));
}

/// The time from now to `at`, for a call of `socket`. A negative one would arrive as one of hours.
sc_core::sc_time delay_to(const sc_core::sc_object& socket, Time at) {
  const Time delay = at - now();
  if (delay < Time()) {
    broken(socket, fmt::format("packets and credits are sent for now or later, not for {}", to_string(at)));
  }
  return to_sc(delay);
}

}  // namespace

PacketTargetSocket::PacketTargetSocket(const char* name, PacketSink& sink, PortId port)
    : tlm::tlm_target_socket<32, PacketProtocol>(name), sink_(sink), port_(port) {
  bind(static_cast<tlm::tlm_fw_transport_if<PacketProtocol>&>(*this));
}

void PacketTargetSocket::credit(Payload& payload, Time at) {
  tlm::tlm_phase phase = CREDIT;
  sc_core::sc_time delay = delay_to(*this, at);
  (*this)->nb_transport_bw(payload, phase, delay);
}

tlm::tlm_sync_enum PacketTargetSocket::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                       sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) broken(*this, "the packet protocol has only BEGIN_REQ on the forward path");
  sink_.packet_arrives(port_, payload, now() + from_sc(delay));
  return tlm::TLM_ACCEPTED;
}

void PacketTargetSocket::b_transport(Payload&, sc_core::sc_time&) {
  broken(*this, "the packet protocol has no b_transport");
}

bool PacketTargetSocket::get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) {
  return false;
}

unsigned int PacketTargetSocket::transport_dbg(Payload& payload) {
  if (!payload.get_data_ptr() || payload.get_data_length() < sizeof(PortStatus)) return 0;
  const PortStatus status = sink_.port_status(port_);
  std::memcpy(payload.get_data_ptr(), &status, sizeof status);
  return sizeof status;
}

PacketInitiatorSocket::PacketInitiatorSocket(const char* name, CreditSink& sink, PortId port)
    : tlm::tlm_initiator_socket<32, PacketProtocol>(name), sink_(sink), port_(port) {
  bind(static_cast<tlm::tlm_bw_transport_if<PacketProtocol>&>(*this));
}

void PacketInitiatorSocket::send(Payload& payload, Time at) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = delay_to(*this, at);
  (*this)->nb_transport_fw(payload, phase, delay);
}

PortStatus PacketInitiatorSocket::status() {
  PortStatus status;
  Payload question;
  question.set_data_ptr(reinterpret_cast<unsigned char*>(&status));
  question.set_data_length(sizeof status);
  if ((*this)->transport_dbg(question) != sizeof status)
    broken(*this, "the receiver does not answer transport_dbg");
  return status;
}

tlm::tlm_sync_enum PacketInitiatorSocket::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                          sc_core::sc_time& delay) {
  if (phase != CREDIT) broken(*this, "the packet protocol has only CREDIT on the backward path");
  sink_.credit_returns(port_, payload, now() + from_sc(delay));
  return tlm::TLM_ACCEPTED;
}

void PacketInitiatorSocket::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) {}

}  // namespace fredsim::hw
