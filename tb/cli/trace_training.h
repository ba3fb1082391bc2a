#pragma once

#include <CLI/CLI.hpp>

namespace fredsim::tb {

/// `trace generate training`.
void add_trace_training(CLI::App& generate);

}  // namespace fredsim::tb
