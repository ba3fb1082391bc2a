#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fredsim::tb {

/// Counts what a set of random tests has tried: each value of each dimension (collective, dtype, ...) and
/// each pair of values of two dimensions. A bin that stays empty is something that no test has tried.
class Coverage {
 public:
  struct Dimension {
    std::string name;
    std::vector<std::string> values;
  };
  /// A value of a dimension.
  struct Bin {
    std::string_view dimension;
    std::string_view value;
  };

  explicit Coverage(std::vector<Dimension> dimensions);

  /// Declares two values of different dimensions that cannot occur together: not reported as empty, and a hit
  /// is an InternalError.
  void exclude(Bin a, Bin b);
  /// One test: a value for each dimension, in their order. InternalError for a value that was not declared.
  void hit(const std::vector<std::string>& values);

  std::uint64_t hits(Bin bin) const;
  std::uint64_t hits(Bin a, Bin b) const;
  /// "dtype=bf16", "collective=reduce dtype=bf16", in the order of declaration; none when all is covered.
  std::vector<std::string> empty_bins() const;

 private:
  using Index = std::pair<std::size_t, std::size_t>;  ///< dimension, value
  using Pair = std::pair<Index, Index>;               ///< of ascending dimensions

  std::size_t value_index(std::size_t dimension, std::string_view value) const;
  Index find(Bin bin) const;
  Pair find(Bin a, Bin b) const;
  std::string name(Index) const;

  std::vector<Dimension> dimensions_;
  std::map<Index, std::uint64_t> values_;
  std::map<Pair, std::uint64_t> pairs_;
  std::set<Pair> excluded_;
};

}  // namespace fredsim::tb
