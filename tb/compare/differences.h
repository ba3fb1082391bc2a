#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fredsim::tb {

/// A value that is not the same in two results.
struct Difference {
  std::string path;   ///< links[npu0_to_switch].utilization; of a metric its name, of a parameter its key
  std::string a, b;   ///< as text; "-" where there is none
  double effect = 0;  ///< |b - a| / |a|; infinite if a is 0, or if either is no number
};

/// The differences of all entries of a list in one quantity.
struct DifferenceGroup {
  std::string path;  ///< links[*].utilization
  std::size_t compared = 0;
  std::vector<Difference> differences;  ///< by size of effect
};

/// What differs between two results of fredsim; everything by size of effect.
struct Comparison {
  std::vector<Difference> configuration;  ///< in the order of the parameters
  std::vector<Difference> metrics;        ///< results with short names
  std::vector<DifferenceGroup> results;  ///< all of the result file but `config`, `command` and `performance`

  /// Of the results.
  double largest_effect() const;
  std::size_t differing() const;
};

/// Compares results. Entries of a list belong together by name or id where these are unique, else by place.
/// Paths that fit one of the globs `ignored` are left out, in the metrics too.
Comparison compare(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b,
                   const std::vector<std::string>& ignored);

/// Read a result file. Throws InputError if it is none.
nlohmann::ordered_json load_result(const std::string& path);

}  // namespace fredsim::tb
