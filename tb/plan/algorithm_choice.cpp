#include "tb/plan/algorithm_choice.h"

#include <algorithm>

namespace fredsim::tb {

const std::vector<std::string>& algorithm_choice_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"auto", "in-network"};
    for (auto a = static_cast<int>(AlgorithmChoice::ring);
         a <= static_cast<int>(AlgorithmChoice::halving_doubling); ++a) {
      all.emplace_back(to_string(*endpoint_algorithm(static_cast<AlgorithmChoice>(a))));
    }
    return all;
  }();
  return names;
}

std::optional<AlgorithmChoice> parse_algorithm_choice(std::string_view name) {
  const std::vector<std::string>& names = algorithm_choice_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<AlgorithmChoice>(found - names.begin());
}

std::optional<accel::Algorithm> endpoint_algorithm(AlgorithmChoice choice) {
  if (choice < AlgorithmChoice::ring) return std::nullopt;
  return static_cast<accel::Algorithm>(static_cast<int>(choice) - static_cast<int>(AlgorithmChoice::ring));
}

}  // namespace fredsim::tb
