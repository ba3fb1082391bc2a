// Compiled by ctest alone: a packet socket binds to packet sockets (PROTOCOL = hw::PacketProtocol compiles)
// and not to sockets of the base protocol (PROTOCOL = tlm::tlm_base_protocol_types must not).
#include <systemc>
#include <tlm>

#include "hw/link/protocol.h"

namespace fredsim {

void bind_forward(hw::PacketInitiatorSocket& ours, tlm::tlm_target_socket<32, PROTOCOL>& other) {
  ours.bind(other);
}

void bind_backward(tlm::tlm_initiator_socket<32, PROTOCOL>& other, hw::PacketTargetSocket& ours) {
  other.bind(ours);
}

}  // namespace fredsim
