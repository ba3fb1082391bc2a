#include "tb/cost/energy.h"

namespace fredsim::tb {

RunCost run_cost(const Configuration& configuration, const CostCoefficients& k, const Work& work) {
  RunCost cost;
  cost.coefficients = k.source;
  cost.fabric = fabric_cost(configuration, k);
  const auto add = [&](const std::string& what, std::uint64_t count, double pj_each) {
    if (count > 0) cost.energy.push_back({what, count, pj_each});
  };
  const auto add_each = [&](const std::string& what, const hw::AddCounts& counts) {
    for (std::size_t d = 0; d < hw::dtypes; ++d)
      add(what + std::string(to_string(static_cast<hw::DType>(d))), counts[d], k.add_pj[d]);
  };
  add("switch_bits", work.switch_bytes * 8, k.switch_pj_per_bit);
  add("mesh_router_bits", work.router_bytes * 8, k.router_pj_per_bit);
  add_each("switch_adds_", work.switch_adds);
  add_each("npu_adds_", work.npu_adds);
  add("wan_router_bits", work.wan_router_bytes * 8, k.wan_router_pj_per_bit);
  add("wan_line_bits", work.wan_line_bytes * 8, k.wan_line_pj_per_bit);
  add("aggregator_bits", work.aggregator_bytes * 8, k.aggregator_pj_per_bit);
  return cost;
}

nlohmann::ordered_json energies_json(const Configuration& configuration, const CostCoefficients& k) {
  nlohmann::ordered_json json;
  if (configuration.system == SystemKind::wan) {
    json = {{"wan_router_pj_per_bit", k.wan_router_pj_per_bit},
            {"wan_line_pj_per_bit", k.wan_line_pj_per_bit},
            {"aggregator_pj_per_bit", k.aggregator_pj_per_bit}};
    if (configuration.wan.wafer == "none") return json;
  }
  if (configuration.system == SystemKind::mesh) {
    json["mesh_router_pj_per_bit"] = k.router_pj_per_bit;
  } else {
    json["switch_pj_per_bit"] = k.switch_pj_per_bit;
  }
  for (std::size_t d = 0; d < hw::dtypes; ++d)
    json["add_pj_" + std::string(to_string(static_cast<hw::DType>(d)))] = k.add_pj[d];
  return json;
}

nlohmann::ordered_json to_json(const RunCost& cost, hw::Time simulated) {
  using Json = nlohmann::ordered_json;
  const auto or_null = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  Json json = {{"coefficients", cost.coefficients}};
  if (!cost.fabric.levels.empty()) {
    json["area_mm2"] = or_null(cost.fabric.area_mm2);
    json["logic_mm2"] = or_null(cost.fabric.logic_mm2);
    json["peak_power_w"] = cost.fabric.peak_w;
  }
  double joules = 0;
  json["energy"] = Json::array();
  for (const EnergyPart& part : cost.energy) {
    joules += part.joules();
    json["energy"].push_back(
        {{"what", part.what}, {"count", part.count}, {"pj_each", part.pj_each}, {"joules", part.joules()}});
  }
  json["energy_j"] = joules;
  json["mean_power_w"] = simulated > hw::Time() ? joules / simulated.seconds() : 0.0;
  return json;
}

}  // namespace fredsim::tb
