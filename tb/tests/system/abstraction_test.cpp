// The two abstractions of a switch are one model: same results to the femtosecond and the byte.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/tests/cli/program.h"
#include "tb/tests/system/simulate.h"
#include "traces/format/write.h"
#include "traces/generate/generate.h"

namespace fredsim::tb::test {
namespace {

nlohmann::json run_as(const std::string& abstraction, const std::string& trace,
                      const std::vector<std::string>& sets) {
  std::vector<std::string> arguments = {"run",        single_switch(), "--trace",
                                        trace,        "--json",        "-",
                                        "--monitors", "--set",         "switch.abstraction=" + abstraction};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
  const Outcome outcome = fredsim(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  if (outcome.exit_code != 0) return {};
  auto result = without_abstraction(nlohmann::json::parse(outcome.out));
  result.erase("performance");
  return result;
}

void expect_equal(const std::string& trace, const std::vector<std::string>& sets = {}) {
  const nlohmann::json whole = run_as("switch", trace, sets);
  const nlohmann::json modules = run_as("microswitch", trace, sets);
  EXPECT_TRUE(is_right(whole));
  EXPECT_EQ(whole, modules) << nlohmann::json::diff(whole, modules).dump(1);
}

TEST(Abstractions, AgreeOnEverySample) {
  int samples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("traces/samples"))) {
    if (entry.path().extension() != ".jsonl") continue;
    SCOPED_TRACE(entry.path().string());
    expect_equal(entry.path().string());
    ++samples;
  }
  EXPECT_GE(samples, 10);
}

// On switches of any size, some of which cannot route all flows together, with buffers that are too small.
TEST(Abstractions, AgreeOnRandomWorkloads) {
  const std::uint64_t seed = test_seed(3);
  const Folder folder;
  for (int i = 0; i < 30; ++i) {
    Random random(seed + static_cast<std::uint64_t>(i));
    const std::uint32_t ports = 2 + random.below(11);
    trace::RandomPattern pattern;
    pattern.seed = random.next();
    pattern.npus = 1 + random.below(ports);
    pattern.operations = 40;
    pattern.max_bytes = 40000;
    trace::write(trace::generate_random(pattern), folder / "t.jsonl");
    const std::vector<std::string> sets = {
        "switch.ports=" + std::to_string(ports),
        "switch.middle=" + std::to_string(2 + random.below(3)),
        "switch.route_memory=64 KiB",
        "buffer.dp=" + random.of<std::string>({"4 KiB", "9 KiB", "24 KiB", "unlimited"}),
        "buffer.mp=" + random.of<std::string>({"4 KiB", "24 KiB"}),
        "link.latency=" + random.of<std::string>({"0 ns", "3.3 ns", "20 ns"}),
        "switch.hop_latency=" + random.of<std::string>({"0 ns", "0.2 ns", "7 ns"}),
        "switch.staging=" + random.of<std::string>({"1", "3"}),
        "switch.preemption=" + random.of<std::string>({"true", "false"}),
        "data.pattern=rounding"};
    SCOPED_TRACE(testing::Message() << "replay alone with FREDSIM_TEST_SEED="
                                    << seed + static_cast<std::uint64_t>(i));
    expect_equal(folder / "t.jsonl", sets);
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace fredsim::tb::test
