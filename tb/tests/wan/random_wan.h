#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/tests/support/folder.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/wan/wan_replay.h"

namespace fredsim::tb::test {

/// A full mesh of 3 to 9 sites A, B, ... with random latencies of 40 to 80 ms, so that the direct link is the
/// shortest path, and lines of 250 Mb/s, as CSV.
std::string random_mesh(std::uint64_t seed);
/// How many sites that has.
std::uint32_t mesh_sites(std::uint64_t seed);

/// A configuration of a topology of its own, kept in a folder as long as this lives.
struct OwnWan {
  OwnWan(const std::string& csv, const std::vector<std::string>& sets);

  /// The plan of a round of all sites.
  WanPlan plan_all() const;

  Folder folder;
  Configuration configuration;
};

}  // namespace fredsim::tb::test
