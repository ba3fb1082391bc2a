#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "accel/collective/rank_steps.h"
#include "hw/core/quantity.h"

namespace fredsim::accel {

/// What one member does for a collective that the members carry out among themselves. Its part's `sends` are
/// the streams to the peers of `steps->to`, one after the other; each of its `receives` names its peer of
/// `steps->from`. Messages are cut into packets each by itself, as even as
/// can be; a packet's offset is its place among all the
/// messages to its peer.
struct EndpointPart {
  std::shared_ptr<const RankSteps> steps;
  Ends ends;
  /// By peer of `steps->to`: the stream is injected no faster, so that it does not fill, with what a slower
  /// link holds up, the buffer that the streams to other peers go through as well. Zero: as fast as can be.
  std::vector<hw::Bandwidth> pace;
};

}  // namespace fredsim::accel
