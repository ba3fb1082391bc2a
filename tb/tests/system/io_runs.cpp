#include "tb/tests/system/io_runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

namespace fredsim::tb::test {

std::vector<std::uint32_t> range(std::uint32_t count) {
  std::vector<std::uint32_t> npus(count);
  std::iota(npus.begin(), npus.end(), 0u);
  return npus;
}

Replay on_mesh(std::uint32_t columns, std::uint32_t rows, const std::string& lines) {
  return on_tree(fmt::format("system: mesh\nmesh:\n  columns: {}\n  rows: {}\n", columns, rows),
                 columns * rows, lines);
}

Replay on_tree(const std::string& configuration, std::uint32_t npus, const std::string& lines) {
  Replay replay;
  replay.configuration = configuration;
  if (!lines.empty()) replay.workload = workload_of(lines, npus);
  return replay;
}

double io_rate(Replay replay, const std::string& type) {
  constexpr std::uint64_t each = 1 << 20;
  replay.workload = workload_of(line("w", type, range(20), fmt::format(R"(,"bytes":{})", 18 * each)), 20);
  replay.options.data = false;
  const nlohmann::json result = simulate(replay);
  EXPECT_TRUE(is_right(result)) << result["waiting"].dump(1);
  return double(each) / double(result["simulated_ns"]) / 128;
}

}  // namespace fredsim::tb::test
