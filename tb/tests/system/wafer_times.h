#pragma once

#include <string>

namespace fredsim::tb::test {

/// Expects that the operations of a trace, all at once on Fred-D (or Fred-B), move right data, and that the
/// last ends between `ideal_ns` and (1 + tolerance) `ideal_ns` + `latency_ns`.
void expect_wafer_time(bool fred_d, const std::string& lines, double ideal_ns, double tolerance,
                       double latency_ns = 0);

/// Groups of the strategy MP(2)-DP(5)-PP(2), and a wafer-wide group: all-reduces of D bytes per NPU.
std::string wafer_wide(std::uint64_t bytes, const std::string& type = "all_reduce");
std::string dp_groups(std::uint64_t bytes);
std::string mp_pairs(std::uint64_t bytes);

}  // namespace fredsim::tb::test
