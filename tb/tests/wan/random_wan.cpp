#include "tb/tests/wan/random_wan.h"

namespace fredsim::tb::test {
namespace {

Configuration configuration_in(const Folder& folder, const std::string& csv,
                               const std::vector<std::string>& sets) {
  const std::string path = folder / "wan.csv";
  write_file(path, csv);
  return wan_configuration(sets, path);
}

}  // namespace

std::uint32_t mesh_sites(std::uint64_t seed) {
  return 3 + static_cast<std::uint32_t>(seed % 7);
}

std::string random_mesh(std::uint64_t seed) {
  Random random(seed);
  std::string csv = "from,to,latency,bandwidth\n";
  const std::uint32_t sites = mesh_sites(seed);
  for (std::uint32_t i = 0; i < sites; ++i) {
    for (std::uint32_t j = i + 1; j < sites; ++j) {
      csv += fmt::format("{},{},{} us,250 Mb/s\n", static_cast<char>('A' + i), static_cast<char>('A' + j),
                         40000 + random.below(40000));
    }
  }
  return csv;
}

OwnWan::OwnWan(const std::string& csv, const std::vector<std::string>& sets)
    : configuration(configuration_in(folder, csv, sets)) {}

WanPlan OwnWan::plan_all() const {
  agg::Topology topology = wan_topology(configuration);
  agg::Round all(1);
  for (std::uint32_t site = 0; site < topology.site_count; ++site) all.front().push_back(site);
  return plan_wan(configuration, std::move(topology), {all});
}

}  // namespace fredsim::tb::test
