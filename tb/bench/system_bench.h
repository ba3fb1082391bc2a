#pragma once

#include <cstdint>
#include <string>

namespace fredsim::tb::bench {

struct SystemOptions {
  std::string configs;     ///< the folder of the configurations
  std::uint64_t hops = 0;  ///< packet-hops that a run should make, roughly
};

/// Registers, for every system of the table whose configuration is there, an all-reduce among all its NPUs:
/// timing only, with data, with all waveform signals, and with the monitors; and its elaboration. Tells on
/// standard error which systems are left out.
void register_systems(const SystemOptions& options);
/// Registers the bare hop.
void register_bare_hop(const SystemOptions& options);

}  // namespace fredsim::tb::bench
