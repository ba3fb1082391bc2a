#include "hw/link/reliability.h"

#include "hw/link/sim_time.h"

namespace fredsim::hw {

PacketHeader control_header(const PacketFormat& format, PacketKind kind, FlowId flow, std::uint64_t sequence,
                            const Epoch& epoch) {
  PacketHeader header;
  header.kind = kind;
  header.flow = flow;
  header.vc = VirtualChannel::control;
  header.wire_bytes = format.control;
  header.sequence = sequence;
  header.epoch = epoch.number;
  header.restart = epoch.restart;
  header.injected = now();
  return header;
}

}  // namespace fredsim::hw
