#pragma once

#include "tb/cli/describe_command.h"
#include "tb/configuration/configuration.h"

namespace fredsim::tb {

/// What `fredsim describe` shows of the system of a configuration: its modules, its hardware counts and its
/// drawing; of the trace at the path `trace`, if given, the route memory that it takes. Throws InputError for
/// a trace that cannot run.
SystemDescription describe_system(const Configuration& configuration,
                                  const std::optional<std::string>& trace);
/// The same of a WAN, where all sites are one clique.
SystemDescription describe_wan(const Configuration& configuration);

/// The modules below all that the kernel knows.
nlohmann::ordered_json module_tree();

}  // namespace fredsim::tb
