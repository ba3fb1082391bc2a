#include "tb/tests/wan/crossover.h"

#include <gtest/gtest.h>

namespace fredsim::tb::test {

std::string name_of(const Cell& cell) {
  std::string name = fmt::format("{}_{}Gbps_{}MB", cell.nine ? "nine" : "threes", cell.gbits, cell.memory_mb);
  for (char& c : name) {
    if (c == '.') c = '_';
  }
  return name;
}

std::ostream& operator<<(std::ostream& out, const Cell& cell) {
  return out << name_of(cell);
}

const std::vector<Cell>& crossover_table() {
  static const std::vector<Cell> table = [] {
    struct Row {
      double memory_mb, nine_10, nine_100;
    };
    std::vector<Cell> cells;
    for (const Row& row : {Row{1, 226.5, 226.5}, Row{44.7, 5.193, 5.193}, Row{88.2, 2.696, 2.696},
                           Row{283, 0.930, 0.929}, Row{3000, 0.924, 0.204}}) {
      cells.push_back({row.memory_mb, false, 10, 1.821});
      cells.push_back({row.memory_mb, true, 10, row.nine_10});
      cells.push_back({row.memory_mb, false, 100, 0.381});
      cells.push_back({row.memory_mb, true, 100, row.nine_100});
    }
    return cells;
  }();
  return table;
}

double simulated_seconds(const Cell& cell, std::uint32_t part, const std::string& packet) {
  const auto bytes = [part](double mb) { return fmt::format("{:.0f} B", mb * 1e6 / part); };
  WanReplay replay({"wan.update=" + bytes(1000), "aggregator.memory=" + bytes(cell.memory_mb),
                    fmt::format("wan.bandwidth={:.0f} Mb/s", cell.gbits * 1000 / part), "aggregator.width=0",
                    "packet.bytes=" + packet},
                   cell.nine ? all_nine : threes, false);
  const WanResult& r = replay.run();
  EXPECT_EQ(r.status, Status::ok) << summary(r);
  EXPECT_LE(static_cast<double>(peak(r)), cell.memory_mb * 1e6 / part);
  return r.simulated.seconds();
}

}  // namespace fredsim::tb::test
