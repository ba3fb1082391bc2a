#include "hw/observe/scope_tree.h"

#include <string_view>
#include <unordered_map>

namespace fredsim::hw {

std::string_view leaf_name(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

ScopeTree make_scope_tree(const std::vector<const ProbeInfo*>& signals) {
  ScopeTree tree(1);
  std::unordered_map<std::string_view, std::uint32_t> known;
  for (std::uint32_t i = 0; i < signals.size(); ++i) {
    const std::string_view path = signals[i]->path;
    std::uint32_t scope = 0;
    std::size_t begin = 0;
    for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', begin)) {
      const auto [entry, is_new] =
          known.emplace(path.substr(0, dot), static_cast<std::uint32_t>(tree.size()));
      if (is_new) {
        tree[scope].scopes.push_back(entry->second);
        tree.push_back({std::string(path.substr(begin, dot - begin)), {}, {}});
      }
      scope = entry->second;
      begin = dot + 1;
    }
    tree[scope].signals.push_back(i);
  }
  return tree;
}

}  // namespace fredsim::hw
