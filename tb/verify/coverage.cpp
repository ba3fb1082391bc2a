#include "tb/verify/coverage.h"

#include <algorithm>

#include "hw/core/error.h"

namespace fredsim::tb {

Coverage::Coverage(std::vector<Dimension> dimensions) : dimensions_(std::move(dimensions)) {
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    for (std::size_t v = 0; v < dimensions_[d].values.size(); ++v) {
      values_[{d, v}] = 0;
      for (std::size_t e = d + 1; e < dimensions_.size(); ++e) {
        for (std::size_t w = 0; w < dimensions_[e].values.size(); ++w) pairs_[{{d, v}, {e, w}}] = 0;
      }
    }
  }
}

void Coverage::exclude(Bin a, Bin b) {
  excluded_.insert(find(a, b));
}

void Coverage::hit(const std::vector<std::string>& values) {
  if (values.size() != dimensions_.size())
    throw hw::InternalError("coverage wants a value for each dimension");
  std::vector<Index> indices;
  for (std::size_t d = 0; d < values.size(); ++d) indices.emplace_back(d, value_index(d, values[d]));
  for (std::size_t a = 0; a < indices.size(); ++a) {
    ++values_[indices[a]];
    for (std::size_t b = a + 1; b < indices.size(); ++b) {
      const Pair pair{indices[a], indices[b]};
      if (excluded_.count(pair) != 0) {
        throw hw::InternalError("covered although excluded: " + name(pair.first) + " " + name(pair.second));
      }
      ++pairs_[pair];
    }
  }
}

std::uint64_t Coverage::hits(Bin bin) const {
  return values_.at(find(bin));
}

std::uint64_t Coverage::hits(Bin a, Bin b) const {
  return pairs_.at(find(a, b));
}

std::vector<std::string> Coverage::empty_bins() const {
  std::vector<std::string> empty;
  for (const auto& [index, hits] : values_) {
    if (hits == 0) empty.push_back(name(index));
  }
  for (const auto& [pair, hits] : pairs_) {
    if (hits == 0 && excluded_.count(pair) == 0) empty.push_back(name(pair.first) + " " + name(pair.second));
  }
  return empty;
}

std::size_t Coverage::value_index(std::size_t dimension, std::string_view value) const {
  const std::vector<std::string>& values = dimensions_[dimension].values;
  const auto found = std::find(values.begin(), values.end(), value);
  if (found == values.end()) {
    throw hw::InternalError("coverage knows no " + dimensions_[dimension].name + "=" + std::string(value));
  }
  return static_cast<std::size_t>(found - values.begin());
}

Coverage::Index Coverage::find(Bin bin) const {
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (dimensions_[d].name == bin.dimension) return {d, value_index(d, bin.value)};
  }
  throw hw::InternalError("coverage knows no dimension " + std::string(bin.dimension));
}

Coverage::Pair Coverage::find(Bin a, Bin b) const {
  const Index i = find(a);
  const Index j = find(b);
  if (i.first == j.first) throw hw::InternalError("a pair within one dimension: " + name(i) + " " + name(j));
  return i < j ? Pair{i, j} : Pair{j, i};
}

std::string Coverage::name(Index index) const {
  return dimensions_[index.first].name + "=" + dimensions_[index.first].values[index.second];
}

}  // namespace fredsim::tb
