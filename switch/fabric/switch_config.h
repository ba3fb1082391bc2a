#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/link/transmitter.h"

namespace fredsim::sw {

/// What surrounds one port of a switch.
struct PortConfig {
  hw::Bandwidth in_bandwidth;   ///< of the link that leads here
  hw::Bandwidth out_bandwidth;  ///< of the link that leads away
  hw::Capacities buffers{};     ///< of this input port
  hw::Capacities receiver{};    ///< of the buffers that the output port sends into
  bool connected = true;        ///< false: nothing is attached, and the port has neither buffers nor sockets
};

/// Parameters of one FRED switch, read and checked elsewhere.
struct SwitchConfig {
  enum class Abstraction {
    microswitch,   ///< every micro-switch is a module
    whole_switch,  ///< the same routing, compiled to latency and reduction order of each flow
  };

  std::string path;  ///< in results and waveforms, "switch"
  Abstraction abstraction = Abstraction::whole_switch;
  hw::Time hop_latency;
  hw::Time reconfiguration;
  bool preemption = true;
  /// Route sets, besides the default one, that the route memory holds.
  std::size_t route_sets_in_memory = std::numeric_limits<std::size_t>::max();
  hw::Time route_load;               ///< time to load one that it does not hold
  std::uint32_t staging = 3;         ///< packets an output port holds for each virtual channel
  hw::Bandwidth internal_bandwidth;  ///< of one path through the interconnect
  std::vector<PortConfig> ports;
};

}  // namespace fredsim::sw
