#include "tb/cost/switch_cost.h"

#include <algorithm>
#include <cmath>

#include "switch/fabric/tree.h"
#include "switch/route/structure.h"

namespace fredsim::tb {
namespace {

using Json = nlohmann::ordered_json;
constexpr double mm2_of_um2 = 1e-6;
constexpr double watts_of_pj = 1e-12;

struct PortClass {
  std::uint64_t ports = 0;
  hw::Bandwidth bandwidth;
  const hw::Capacities* buffers = nullptr;
};

std::vector<PortClass> ports_of(const Configuration& c, const sw::TreeSwitch& node) {
  const std::uint32_t level = node.level;
  const LinkConfiguration& down = level == 1 ? c.npu_link() : c.link_up_to(level);
  std::vector<PortClass> ports{{node.down_ports, down.bandwidth, &c.switch_buffers(level, PortSide::down)}};
  // A port that stays free because the controllers do not divide evenly is there all the same.
  if (node.io_ports > 0)
    ports.push_back({node.io_ports, c.io_link().bandwidth, &c.switch_buffers(1, PortSide::io)});
  if (node.up_ports > 0) {
    ports.push_back(
        {node.up_ports, c.link_up_to(level + 1).bandwidth, &c.switch_buffers(level, PortSide::up)});
  }
  return ports;
}

SwitchCost cost_of(const Configuration& c, const CostCoefficients& k, const sw::TreeSwitch& node) {
  const sw::Structure structure(node.ports(), c.sw.middle);
  const sw::ElementCounts& counts = structure.counts();
  SwitchCost s;
  s.level = node.level;
  s.r = counts.r;
  s.d = counts.d;
  s.rd = counts.rd;
  s.plain = counts.demux + counts.mux;
  s.alus = counts.r + counts.rd;
  for (std::size_t d = 0; d < hw::dtypes; ++d) {
    const double elements_per_s = c.sw.internal_bandwidth.bytes_per_second() /
                                  static_cast<double>(hw::size_of(static_cast<hw::DType>(d)));
    s.adders[d] = s.alus * static_cast<std::uint64_t>(std::ceil(elements_per_s / k.adder_clock_hz));
  }
  s.buffer_bits = 0;
  double fastest = 0;
  for (const PortClass& port : ports_of(c, node)) {
    for (const hw::Capacity& capacity : *port.buffers) {
      if (capacity.is_unlimited()) s.buffer_bits = std::nullopt;
      if (s.buffer_bits) *s.buffer_bits += port.ports * capacity.bytes() * 8;
    }
    s.io_bytes_per_s += static_cast<double>(port.ports) * port.bandwidth.bytes_per_second();
    fastest = std::max(fastest, port.bandwidth.bytes_per_second());
  }
  s.staging_bits = std::uint64_t{node.ports()} * hw::traffic_classes * c.sw.staging * c.packet.bytes * 8;
  s.route_bits = c.sw.route_memory * 8;

  s.edge_mm = s.io_bytes_per_s / 1e9 / k.io_gbytes_per_s_per_mm;
  const double side = s.edge_mm / k.edge_share / 4;
  if (s.buffer_bits) {
    double um2 = static_cast<double>(*s.buffer_bits + s.staging_bits + s.route_bits) * k.memory_um2_per_bit;
    for (std::size_t d = 0; d < hw::dtypes; ++d) um2 += static_cast<double>(s.adders[d]) * k.adder_um2[d];
    s.logic_mm2 = um2 * mm2_of_um2 * k.logic_scale;
    s.area_mm2 = std::max(side * side, *s.logic_mm2);
  }
  const auto dtype = static_cast<std::size_t>(c.data.dtype);
  const double adds_per_s = (s.io_bytes_per_s - fastest) / static_cast<double>(hw::size_of(c.data.dtype));
  s.peak_w = (s.io_bytes_per_s * 8 * k.switch_pj_per_bit + adds_per_s * k.add_pj[dtype]) * watts_of_pj;
  return s;
}

/// To nine digits, so that the last bits of a sum are not shown as if they meant something.
Json rounded(double value) {
  if (value == 0) return 0.0;
  // Powers of ten are exact from 1 on, so it is these that are multiplied and divided by.
  const double digits = 8 - std::floor(std::log10(std::abs(value)));
  const double scale = std::pow(10, std::abs(digits));
  return digits < 0 ? std::round(value / scale) * scale : std::round(value * scale) / scale;
}
Json rounded(const std::optional<double>& value) {
  return value ? rounded(*value) : Json();
}

/// `times` x `value` more under `key`; null once one of them is.
void add_to(Json& sums, const std::string& key, const Json& value, std::uint64_t times) {
  const bool first = !sums.contains(key);
  Json& sum = sums[key];
  if (value.is_null() || (!first && sum.is_null())) {
    sum = nullptr;
  } else if (value.is_number_float()) {
    sum = (first ? 0.0 : sum.get<double>()) + value.get<double>() * static_cast<double>(times);
  } else {
    sum = (first ? 0 : sum.get<std::uint64_t>()) + value.get<std::uint64_t>() * times;
  }
}

}  // namespace

FabricCost fabric_cost(const Configuration& configuration, const CostCoefficients& coefficients) {
  FabricCost result;
  if (configuration.system == SystemKind::mesh || configuration.system == SystemKind::wan) return result;
  const sw::Tree tree(configuration.tree_shape());
  for (const sw::TreeSwitch& node : tree.switches()) {
    if (result.levels.empty() || result.levels.back().level != node.level)
      result.levels.push_back(cost_of(configuration, coefficients, node));
    ++result.levels.back().switches;
  }
  result.logic_mm2 = result.area_mm2 = 0;
  for (const SwitchCost& level : result.levels) {
    const auto n = static_cast<double>(level.switches);
    const auto add = [n](std::optional<double>& sum, const std::optional<double>& more) {
      sum = sum && more ? std::optional<double>(*sum + n * *more) : std::nullopt;
    };
    add(result.logic_mm2, level.logic_mm2);
    add(result.area_mm2, level.area_mm2);
    result.peak_w += n * level.peak_w;
  }
  return result;
}

nlohmann::ordered_json to_json(const FabricCost& cost) {
  Json rows = Json::array();
  Json all = {{"level", "all"}};
  for (const SwitchCost& s : cost.levels) {
    Json row = {{"level", s.level}, {"switches", s.switches}, {"r", s.r},      {"d", s.d},
                {"rd", s.rd},       {"plain", s.plain},       {"alus", s.alus}};
    for (std::size_t d = 0; d < hw::dtypes; ++d) {
      row["adders_" + std::string(to_string(static_cast<hw::DType>(d)))] = s.adders[d];
    }
    row["buffer_bits"] = s.buffer_bits ? Json(*s.buffer_bits) : Json();
    row["staging_bits"] = s.staging_bits;
    row["route_memory_bits"] = s.route_bits;
    row["io_bytes_per_s"] = rounded(s.io_bytes_per_s);
    row["edge_mm"] = rounded(s.edge_mm);
    row["logic_mm2"] = rounded(s.logic_mm2);
    row["area_mm2"] = rounded(s.area_mm2);
    row["peak_power_w"] = rounded(s.peak_w);
    for (const auto& [key, value] : row.items()) {
      if (key != "level") add_to(all, key, value, key == "switches" ? 1 : s.switches);
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return rows;
  all["logic_mm2"] = rounded(cost.logic_mm2);
  all["area_mm2"] = rounded(cost.area_mm2);
  all["peak_power_w"] = rounded(cost.peak_w);
  rows.push_back(std::move(all));
  return rows;
}

}  // namespace fredsim::tb
