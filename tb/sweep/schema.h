#pragma once

#include <string>
#include <vector>

#include "tb/sweep/sweep_file.h"

namespace fredsim::tb {

/// The tables, as docs/sweep-database.md describes them.
std::string tables_sql();

/// The views, made anew; `summary` has columns for the axes of `sweep` and for its metrics.
std::string views_sql(const SweepFile& sweep);

/// The names of all metrics: the ready ones and those that the sweep file names.
std::vector<std::string> metric_names(const SweepFile& sweep);

}  // namespace fredsim::tb
