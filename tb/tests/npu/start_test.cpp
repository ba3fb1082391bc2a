// Operations that need no time start and end while other NPUs have not begun yet.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

/// Operations of one NPU each, every one after all of the one before has ended everywhere.
nlohmann::json simulate_chain(const std::string& operation, const std::vector<std::uint32_t>& npus) {
  std::string lines;
  for (std::size_t i = 0; i < npus.size(); ++i) {
    lines += fmt::format(R"({{"id":"o{}",{},"npus":[{}])", i, operation, npus[i]);
    if (i > 0) lines += fmt::format(R"(,"after_all":["o{}"])", i - 1);
    lines += "}\n";
  }
  Replay replay;
  replay.workload = workload_of(lines);
  return simulate(replay);
}

void expect_all_at_zero(const nlohmann::json& result) {
  EXPECT_TRUE(is_right(result)) << result["waiting"].dump(1);
  for (const auto& operation : result["operations"]) EXPECT_EQ(operation["end_ns"], 0) << operation["id"];
}

TEST(Start, WhatEndsAtOneNpuAsItBeginsStartsPartsElsewhereOnce) {
  for (const char* operation :
       {R"("type":"all_reduce","bytes":8)", R"("type":"barrier")", R"("type":"compute","ns":0)"}) {
    SCOPED_TRACE(operation);
    expect_all_at_zero(simulate_chain(operation, {0, 1}));
    expect_all_at_zero(simulate_chain(operation, {1, 0}));
    expect_all_at_zero(simulate_chain(operation, {3, 7, 0, 5, 5, 1, 0, 7}));
  }
}

}  // namespace
}  // namespace fredsim::tb::test
