#pragma once

#include <cstdint>

#include "tb/bench/apart.h"

namespace fredsim::tb::bench {

/// What a packet that crosses a link costs at least in this protocol: a call through a pair of sockets, a
/// FIFO at the receiver, a timed kernel event to take it out, and nothing else. Packets go round a ring of
/// `links` modules, one packet in each, until `hops` have been made. To be called in a process of its own.
Figures run_bare_hops(std::uint64_t links, std::uint64_t hops);

}  // namespace fredsim::tb::bench
