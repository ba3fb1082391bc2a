#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fpga_agg/schedule/candidates.h"
#include "fpga_agg/schedule/timing.h"

namespace fredsim::tb {

/// What `fredsim schedule` found out.
struct ScheduleReport {
  std::vector<agg::Candidate> candidates;
  std::size_t best = 0;
  std::optional<double> crossover_bytes;
  agg::Objective objective = agg::Objective::exact;
};

/// For a person: the conditions, the candidates, the crossover, and of the best one every clique with its
/// starts, its rate and what limits that.
std::string to_text(const ScheduleReport& report, agg::Timer& timer);

}  // namespace fredsim::tb
