#pragma once

#include <vector>

#include "tb/configuration/parameter.h"

namespace fredsim::tb {

using ParameterList = std::vector<Parameter>;

/// Append the declarations of a topic.
void add_tree_parameters(ParameterList& list);
void add_switch_parameters(ParameterList& list);
void add_link_parameters(ParameterList& list);
void add_buffer_parameters(ParameterList& list);
void add_wan_parameters(ParameterList& list);
void add_aggregator_parameters(ParameterList& list);
void add_mesh_parameters(ParameterList& list);
void add_collective_parameters(ParameterList& list);
void add_pressure_parameters(ParameterList& list);
void add_watchdog_parameters(ParameterList& list);
/// `reliability`, which stands before the topics, and the faults.
void add_reliability_parameter(ParameterList& list);
void add_fault_parameters(ParameterList& list);
void add_cost_parameters(ParameterList& list);

}  // namespace fredsim::tb
