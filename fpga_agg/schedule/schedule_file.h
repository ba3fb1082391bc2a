#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fpga_agg/schedule/candidates.h"
#include "fpga_agg/schedule/round.h"
#include "fpga_agg/schedule/topology.h"

namespace fredsim::agg {

/// The schedules of a file, normalized for a topology.
struct ScheduleFile {
  std::vector<std::vector<Round>> schedules;  ///< at least one, each with at least one round
  std::size_t best = 0;                       ///< the one to replay
};

/// {"format":"fredsim-schedule","version":1,"sites":[names],"candidates":[{"rounds":[[[names]..]..],
/// "round_ns","total_ns","sigma","exact","memory_needed_bytes"}],"best","crossover_bytes"}: the candidates,
/// best first; crossover_bytes is null where there is no crossover.
nlohmann::ordered_json to_json(const Topology& topology, const std::vector<Candidate>& candidates,
                               std::size_t best, std::optional<double> crossover_bytes);

/// Read what to_json wrote, or, by hand, {"rounds":[[["NYC","CHI","LAX"],..],..]}, one schedule. Only the
/// rounds count; what else is known of a schedule is computed anew. Sites that a round leaves out wait.
/// Throws InputError with the file and, within it, the line or the JSON pointer of what is wrong: no JSON, an
/// unknown or doubled key, another format or version, an unknown site, one twice in a round, no round at all.
ScheduleFile load_schedule(const std::string& path, const Topology& topology);
ScheduleFile parse_schedule(const std::string& text, const std::string& name, const Topology& topology);

}  // namespace fredsim::agg
