#pragma once

#include <CLI/CLI.hpp>

namespace fredsim::tb {

/// Adds `generate` with a subcommand for each pattern to `trace`.
void add_trace_generate_command(CLI::App& trace);

}  // namespace fredsim::tb
