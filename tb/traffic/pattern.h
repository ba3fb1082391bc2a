#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fredsim::tb {

/// Who sends to whom in synthetic traffic, as network-on-chip simulators have it (Dally, Towles 2004, ch. 3).
enum class TrafficPattern : std::uint8_t {
  uniform,         ///< to any other NPU, each as likely
  hotspot,         ///< a share of the packets to one NPU, the others as uniform
  transpose,       ///< from column x, row y to column y, row x of a square
  bit_complement,  ///< from NPU n of N to NPU N - 1 - n: across the middle both ways
  neighbour,       ///< to the next in the row, from the last to the first
};
/// "uniform", "hotspot", "transpose", "bit-complement", "neighbour".
const std::vector<std::string>& traffic_pattern_names();
std::optional<TrafficPattern> parse_traffic_pattern(std::string_view name);

struct TrafficShape {
  TrafficPattern pattern = TrafficPattern::uniform;
  std::uint32_t npus = 0;
  std::uint32_t columns = 0;  ///< of a mesh; else all NPUs are one row
  std::uint32_t hot = 0;      ///< the hot NPU
  double hot_share = 0.1;     ///< of the packets of every other NPU
};

/// To whom NPU `from` sends, and how likely; empty for one that sends nothing (to itself). Shares add up
/// to 1.
struct Destination {
  std::uint32_t npu = 0;
  double share = 0;
};
/// Throws hw::InputError for a transpose where there is no square, and for a hot NPU that does not exist.
std::vector<Destination> destinations(const TrafficShape& shape, std::uint32_t from);

}  // namespace fredsim::tb
