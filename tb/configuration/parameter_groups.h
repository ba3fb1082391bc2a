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

}  // namespace fredsim::tb
