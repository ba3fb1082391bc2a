#pragma once

#include "tb/configuration/configuration.h"

namespace fredsim::tb {

/// Packets of the longest train (`transaction`); 1 when packets move one by one.
std::uint32_t train_of(const Configuration& configuration);

/// The configuration of a model whose packets are trains: buffers hold as many trains as `configuration` has
/// them hold packets, so that a link is kept as busy, and never waits for a credit that a single packet would
/// have got.
Configuration with_trains(Configuration configuration);

}  // namespace fredsim::tb
