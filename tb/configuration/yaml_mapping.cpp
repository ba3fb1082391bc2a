#include "tb/configuration/yaml_mapping.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "hw/core/error.h"
#include "hw/core/nearest.h"

namespace fredsim::tb {

const std::string& scalar_of(const YamlNode& node, const char* due) {
  if (node.kind == YamlNode::Kind::plain || node.kind == YamlNode::Kind::quoted) return node.text;
  throw hw::InputError(fmt::format("{} is due here", due));
}

void read_mapping(const YamlNode& node, const std::string& place, const std::string& of,
                  const std::vector<YamlKey>& keys, Problems& problems) {
  std::vector<std::string> known;
  for (const YamlKey& key : keys) known.push_back(key.name);
  if (node.kind != YamlNode::Kind::mapping) {
    problems.add(place, of, fmt::format("a mapping is due here, with the keys {}", fmt::join(known, ", ")));
    return;
  }
  const std::string prefix = of.empty() ? "" : of + ".";
  std::set<std::string> given;
  for (const YamlMember& member : node.members) {
    const auto key =
        std::find_if(keys.begin(), keys.end(), [&](const YamlKey& k) { return k.name == member.key; });
    if (key == keys.end()) {
      problems.add(member.place, prefix + member.key,
                   fmt::format("unknown key{}; allowed: {}", hw::did_you_mean(member.key, known),
                               fmt::join(known, ", ")));
      continue;
    }
    if (!given.insert(member.key).second) {
      problems.add(member.place, prefix + member.key, "doubled: the key is given before");
      continue;
    }
    try {
      key->read(member.value);
    } catch (const hw::InputError& error) {
      problems.add(member.value.place, prefix + member.key, error.what());
    }
  }
  for (const YamlKey& key : keys) {
    if (key.required && given.count(key.name) == 0)
      problems.add(place, prefix + key.name, "is missing; it is required");
  }
}

}  // namespace fredsim::tb
