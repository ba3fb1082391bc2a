#pragma once

#include "tb/cli/describe_command.h"
#include "tb/configuration/configuration.h"

namespace fredsim::tb {

/// What `fredsim describe` shows of the system of a configuration: its modules, its hardware counts and its
/// drawing.
SystemDescription describe_system(const Configuration& configuration);

}  // namespace fredsim::tb
