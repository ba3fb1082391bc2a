#pragma once

#include <vector>

#include "hw/core/records.h"
#include "switch/fabric/tree.h"
#include "tb/plan/plan.h"
#include "tb/systems/result.h"
#include "tb/systems/system.h"

namespace fredsim::tb {

/// What every unfinished operation waits for at every member, and that it does so in `state`. `tree` is that
/// of the system's switches; null without any.
std::vector<Waiting> find_waiting(const System& system, const sw::Tree* tree, const hw::Workload& workload,
                                  const Plan& plan, Waiting::State state);

/// Says of those among `waiting` that they have starved, and puts them first; `names` are those of
/// operations, by OperationId.
void mark_starved(const std::vector<hw::OperationId>& starved, const std::vector<std::string>& names,
                  std::vector<Waiting>& waiting);

/// How long the packets of operations that take turns at a switch have been ready there while it served
/// another route set, up to `end`; nothing for turns on a plane.
hw::TimeSum waited_for_turns(const Turns& turns, const System& system, const Plan& plan, hw::Time end);

}  // namespace fredsim::tb
