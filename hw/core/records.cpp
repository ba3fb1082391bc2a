#include "hw/core/records.h"

#include <array>

#include "hw/core/error.h"

namespace fredsim::hw {
namespace {

constexpr std::array<std::string_view, virtual_channels> channel_names = {"mp", "pp", "dp", "control"};

}  // namespace

std::string_view to_string(VirtualChannel vc) {
  return channel_names.at(index(vc));
}

std::string_view to_string(TrafficClass c) {
  return to_string(channel_of(c));
}

std::string_view to_string(OperationType type) {
  return operation_type_names().at(static_cast<std::size_t>(type));
}

std::optional<TrafficClass> parse_traffic_class(std::string_view name) {
  for (std::size_t i = 0; i < traffic_classes; ++i) {
    if (channel_names[i] == name) return static_cast<TrafficClass>(i);
  }
  return std::nullopt;
}

std::optional<OperationType> parse_operation_type(std::string_view name) {
  const auto& names = operation_type_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<OperationType>(i);
  }
  return std::nullopt;
}

const std::vector<std::string>& operation_type_names() {
  static const std::vector<std::string> names = {
      "compute", "all_reduce", "reduce_scatter", "all_gather", "reduce", "broadcast", "scatter",
      "gather",  "all_to_all", "send",           "recv",       "load",   "store",     "barrier"};
  return names;
}

Range shard(std::uint64_t count, std::uint64_t ranks, std::uint64_t r) {
  constexpr std::uint64_t most_ranks = std::uint64_t{1} << 32;  // so that cut's product stays below 2^64
  if (r >= ranks || ranks > most_ranks) throw InternalError("shard of a rank outside its group");
  // floor(k n / N) = k q + floor(k m / N) for n = q N + m: no product overflows.
  const std::uint64_t quotient = count / ranks;
  const std::uint64_t remainder = count % ranks;
  const auto cut = [&](std::uint64_t k) { return k * quotient + k * remainder / ranks; };
  return {cut(r), cut(r + 1)};
}

}  // namespace fredsim::hw
