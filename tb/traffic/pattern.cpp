#include "tb/traffic/pattern.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"

namespace fredsim::tb {

const std::vector<std::string>& traffic_pattern_names() {
  static const std::vector<std::string> names{"uniform", "hotspot", "transpose", "bit-complement",
                                              "neighbour"};
  return names;
}

std::optional<TrafficPattern> parse_traffic_pattern(std::string_view name) {
  const auto& names = traffic_pattern_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<TrafficPattern>(found - names.begin());
}

namespace {

std::vector<Destination> one(std::uint32_t from, std::uint32_t to) {
  if (from == to) return {};
  return {{to, 1.0}};
}

std::vector<Destination> uniform(const TrafficShape& shape, std::uint32_t from) {
  std::vector<Destination> all;
  for (std::uint32_t n = 0; n < shape.npus; ++n) {
    if (n != from) all.push_back({n, 1.0 / (shape.npus - 1)});
  }
  return all;
}

}  // namespace

std::vector<Destination> destinations(const TrafficShape& shape, std::uint32_t from) {
  const std::uint32_t columns = shape.columns == 0 ? shape.npus : shape.columns;
  const std::uint32_t column = from % columns;
  const std::uint32_t row = from / columns;
  switch (shape.pattern) {
    case TrafficPattern::uniform:
      return uniform(shape, from);
    case TrafficPattern::hotspot: {
      if (shape.hot >= shape.npus) {
        throw hw::InputError(
            fmt::format("NPU {} cannot be hot: the system has NPUs 0 to {}", shape.hot, shape.npus - 1));
      }
      std::vector<Destination> all = uniform(shape, from);
      if (from == shape.hot) return all;
      for (Destination& d : all) {
        d.share *= 1 - shape.hot_share;
        if (d.npu == shape.hot) d.share += shape.hot_share;
      }
      return all;
    }
    case TrafficPattern::transpose:
      if (columns * columns != shape.npus) {
        throw hw::InputError(
            fmt::format("transpose needs as many rows as columns; this system has {} x {} NPUs", columns,
                        shape.npus / columns));
      }
      return one(from, column * columns + row);
    case TrafficPattern::bit_complement:
      return one(from, shape.npus - 1 - from);
    case TrafficPattern::neighbour:
      return one(from, row * columns + (column + 1) % columns);
  }
  throw hw::InternalError("no such traffic pattern");
}

}  // namespace fredsim::tb
