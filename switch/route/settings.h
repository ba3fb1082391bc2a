#pragma once

#include <cstdint>
#include <vector>

#include "switch/route/routing.h"
#include "switch/route/structure.h"

namespace fredsim::sw {

/// What one element does for one flow: everything that enters at `inputs` is reduced, in ascending order of
/// the inputs, and the result leaves at every one of `outputs`.
struct ElementSetting {
  std::uint32_t element = 0;  ///< index into Structure::elements()
  std::uint32_t inputs = 0;   ///< bit i: input i is used
  std::uint32_t outputs = 0;  ///< bit o: output o is used

  bool reduces() const { return (inputs & (inputs - 1)) != 0; }
  bool distributes() const { return (outputs & (outputs - 1)) != 0; }
};

/// The elements that `flow` touches on `route`, ascending (so an element comes after all that feed it).
/// Throws hw::InternalError if the route has not one color below `middle()` for each level, or a port is out
/// of range.
std::vector<ElementSetting> settings(const Structure&, const PortFlow& flow, const Route& route);

/// One step of a reduction in postfix notation: push the operand of a port, or combine the two topmost values
/// (the lower one on the left).
struct ReductionStep {
  enum class Kind : std::uint8_t { operand, combine };
  Kind kind = Kind::operand;
  hw::PortId port;  ///< of an operand
};

/// The order in which a switch combines what enters at `inputs`, as a postfix program of n operands and n - 1
/// combines. It is that of the micro-switches, at each R and RD the lower input first: ports 2i and 2i + 1
/// first, then the pairs of pairs, and so on. It depends on the ports alone, not on the route, since every
/// middle switch pairs its inputs alike.
std::vector<ReductionStep> reduction_order(const std::vector<hw::PortId>& inputs);

}  // namespace fredsim::sw
