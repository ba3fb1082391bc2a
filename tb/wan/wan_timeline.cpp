#include "tb/wan/wan_timeline.h"

#include "tb/timeline/timeline_json.h"

namespace fredsim::tb {

std::string timeline_json(const WanResult& result) {
  std::vector<TimelineEvent> events;
  for (const CliqueResult& clique : result.cliques) {
    if (!clique.started) continue;
    for (const hw::NpuId site : clique.sites) {
      events.push_back({result.sites.at(site.value).name, "rounds", clique.id, "dp", clique.start,
                        clique.ended ? clique.end : result.simulated, clique.ended});
    }
  }
  std::vector<std::string> sites;
  for (const SiteResult& site : result.sites) sites.push_back(site.name);
  arrange(events, sites);
  return timeline_json(events, result.simulated);
}

}  // namespace fredsim::tb
