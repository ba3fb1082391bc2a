#include "fpga_agg/schedule/round.h"

#include <algorithm>
#include <functional>

#include "hw/core/error.h"

namespace fredsim::agg {

Round normalized(Round round, std::uint32_t sites) {
  std::vector<bool> placed(sites, false);
  for (Clique& clique : round) {
    std::sort(clique.begin(), clique.end());
    for (const std::uint32_t site : clique) {
      if (site >= sites || placed[site])
        throw hw::InternalError("a round holds a site twice, or an unknown one");
      placed[site] = true;
    }
  }
  for (std::uint32_t site = 0; site < sites; ++site) {
    if (!placed[site]) round.push_back({site});
  }
  round.erase(std::remove_if(round.begin(), round.end(), [](const Clique& c) { return c.empty(); }),
              round.end());
  std::sort(round.begin(), round.end());
  return round;
}

std::uint64_t bits(const Clique& clique) {
  std::uint64_t set = 0;
  for (const std::uint32_t site : clique) set |= std::uint64_t{1} << site;
  return set;
}

std::vector<std::size_t> sizes(const Round& round) {
  std::vector<std::size_t> result;
  for (const Clique& clique : round) result.push_back(clique.size());
  std::sort(result.begin(), result.end(), std::greater<>());
  return result;
}

}  // namespace fredsim::agg
