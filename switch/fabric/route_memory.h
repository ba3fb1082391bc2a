#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fredsim::sw {

/// Which route sets are in a switch's route memory (FRED sec. 6.2.3). The default set takes no room. When one
/// has to be loaded, the one that was served longest ago makes room.
class RouteMemory {
 public:
  /// Of `sets` route sets, the default one included, `capacity` fit (1 or more, besides the default one); the
  /// first ones are there at the beginning.
  RouteMemory(std::size_t sets, std::size_t capacity);

  /// The switch is to serve `route_set`. Returns whether it has to be loaded.
  bool use(std::uint32_t route_set);

 private:
  static constexpr std::uint64_t absent = 0;

  std::vector<std::uint64_t> used_;  ///< by route set: when it was last used, or `absent`
  std::uint64_t time_ = 0;           ///< counts uses
};

}  // namespace fredsim::sw
