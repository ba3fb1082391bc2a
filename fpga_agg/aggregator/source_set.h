#pragma once

#include <cstdint>

namespace fredsim::agg {

/// Sets of up to 64 sources, a bit each.
inline std::uint64_t bit(std::uint32_t source) {
  return std::uint64_t{1} << source;
}
inline std::uint64_t all_of(std::uint32_t sources) {
  return sources == 64 ? ~std::uint64_t{0} : bit(sources) - 1;
}
inline std::uint32_t count(std::uint64_t set) {
  return static_cast<std::uint32_t>(__builtin_popcountll(set));
}

}  // namespace fredsim::agg
