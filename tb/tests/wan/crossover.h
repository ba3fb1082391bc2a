#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tb/tests/wan/wan_replay.h"

namespace fredsim::tb::test {

/// One time of the crossover table: G = 1 GB, FP16 into FP32, access links limit, no jitter, policy pace.
/// Worked out from r_eff = min(r, M / (2 x 113.17 ms)) unless M holds all of 2 GB, and last arrival + G / r.
struct Cell {
  double memory_mb;
  bool nine;  ///< one round of all nine; else two of threes
  double gbits;
  double seconds;
};
std::ostream& operator<<(std::ostream& out, const Cell& cell);
std::string name_of(const Cell& cell);

/// All 5 x 4.
const std::vector<Cell>& crossover_table();

/// The same with update, memory and bandwidth divided by `part`, which leaves the times as they are. The data
/// path is without limit: 512 bits at 322 MHz take 165 Gb/s, less than two streams of 100 Gb/s.
double simulated_seconds(const Cell& cell, std::uint32_t part, const std::string& packet = "9000 B");

}  // namespace fredsim::tb::test
