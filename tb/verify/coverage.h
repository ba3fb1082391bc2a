#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fredsim::tb {

/// Counts what a set of random tests has tried: each value of each dimension (collective, dtype, ...) and
/// each pair of values of two dimensions. A bin that stays empty is something no test has tried.
class Coverage {
 public:
  struct Dimension {
    std::string name;
    std::vector<std::string> values;
  };

  explicit Coverage(std::vector<Dimension> dimensions);

  /// Declares a pair of values that cannot occur together; its bin is not reported as empty, and a hit on it
  /// is an InternalError.
  void exclude(std::string_view dimension_a, std::string_view value_a, std::string_view dimension_b,
               std::string_view value_b);
  /// One test: a value for each dimension, in their order. InternalError for a value that was not declared.
  void hit(const std::vector<std::string>& values);

  std::uint64_t hits(std::string_view dimension, std::string_view value) const;
  std::uint64_t hits(std::string_view dimension_a, std::string_view value_a, std::string_view dimension_b,
                     std::string_view value_b) const;
  /// "dtype=bf16", "dtype=bf16 x collective=reduce", in the order of declaration; empty when all is covered.
  std::vector<std::string> empty_bins() const;

 private:
  struct Bin {
    std::size_t dimension = 0;
    std::size_t value = 0;
  };
  Bin find(std::string_view dimension, std::string_view value) const;
  std::uint64_t& pair(Bin, Bin);

  std::vector<Dimension> dimensions_;
};

}  // namespace fredsim::tb
