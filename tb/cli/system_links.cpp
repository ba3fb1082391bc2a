#include "tb/cli/system_links.h"

#include <map>
#include <set>
#include <utility>

#include "hw/core/error.h"

namespace fredsim::tb {

std::vector<LinkPair> link_pairs(const System& system, const sw::Tree& tree) {
  std::map<std::string, std::uint32_t> level_of;  // 0: an NPU or an I/O controller
  for (const sw::TreeSwitch& node : tree.switches()) level_of[node.name] = node.level;
  std::set<std::string> controllers;
  for (const auto& io : system.io_controllers()) controllers.insert(io->basename());

  std::vector<LinkPair> pairs;
  std::map<std::pair<std::string, std::string>, hw::LinkConfig> down;
  for (const System::Wire& wire : system.wires()) {
    const auto level = [&](const std::string& name) { return level_of.count(name) > 0 ? level_of[name] : 0; };
    const hw::LinkConfig& config = wire.link->config();
    if (level(wire.from) > level(wire.to)) {
      down.emplace(std::pair(wire.to, wire.from), config);
      continue;
    }
    std::string link_class = "l" + std::to_string(level(wire.to));
    if (level(wire.from) == 0) link_class = controllers.count(wire.from) > 0 ? "io" : "npu";
    pairs.push_back({wire.from, wire.to, link_class, config});
  }
  for (const LinkPair& pair : pairs) {
    const auto found = down.find({pair.below, pair.above});
    if (found == down.end() || found->second.bandwidth != pair.config.bandwidth ||
        found->second.latency != pair.config.latency) {
      throw hw::InternalError("no equal link back from " + pair.above + " to " + pair.below);
    }
  }
  return pairs;
}

}  // namespace fredsim::tb
