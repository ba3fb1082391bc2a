#pragma once

#include <cstdint>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/link/packet.h"
#include "switch/microswitch/micro_switch.h"
#include "switch/route/routing.h"

namespace fredsim::sw {

/// A packet that leaves the interconnect.
struct Emergence {
  hw::Time at;  ///< when its head does
  hw::PortId output;
  hw::PacketRef packet;
};

/// FRED_m(P) between the input and output ports of a switch. It stores nothing: what enters in one instant
/// leaves a fixed latency later, reduced and copied.
class Interconnect {
 public:
  virtual ~Interconnect() = default;

  /// Lays `circuit` along `route`. Laying one again replaces it.
  virtual void lay(CircuitId circuit, const PortFlow& flow, const Route& route) = 0;
  /// The heads of `operands`, one for each input of the circuit's flow in ascending order, enter now. Appends
  /// what leaves to `emerged`.
  virtual void fire(CircuitId circuit, const std::vector<hw::PacketRef>& operands,
                    std::vector<Emergence>& emerged) = 0;
  /// Reductions, distributions and forwards of all micro-switches so far (the demux and mux of an odd port
  /// apart).
  virtual MicroSwitchCounts counts() const = 0;
};

}  // namespace fredsim::sw
