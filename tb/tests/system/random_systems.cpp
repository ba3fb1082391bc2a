#include "tb/tests/system/random_systems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/tests/system/closed_form.h"
#include "tb/tests/system/lossy_runs.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"
#include "tb/verify/coverage.h"

namespace fredsim::tb::test {
namespace {

const std::vector<Coverage::Dimension> dimensions_of_systems = {
    {"collective",
     {"all_reduce", "reduce_scatter", "all_gather", "reduce", "broadcast", "scatter", "gather", "all_to_all",
      "barrier", "send"}},
    {"bytes", {"0", "1", "2", "7", "19", "4090", "4091", "100003"}},
    {"dtype", {"fp16", "bf16", "fp32", "int32"}},
    {"members", {"1", "2", "3", "4", "5", "6", "7", "8"}},
    {"class", {"mp", "pp", "dp"}},
    {"levels", {"1", "2", "3", "4"}},
    {"fault", {"none", "pressure", "loss, flow", "loss, link"}}};
using Choice = std::vector<std::string>;  ///< a value of each dimension

void exclude_what_cannot_be(Coverage& coverage) {
  for (const std::string& bytes : dimensions_of_systems[1].values) {
    if (bytes != "0") coverage.exclude({"collective", "barrier"}, {"bytes", bytes});
  }
  for (const std::string& members : dimensions_of_systems[3].values) {
    if (members != "2") coverage.exclude({"collective", "send"}, {"members", members});
  }
}

Choice random_choice(const std::string& levels, const std::string& fault, Random& random) {
  Choice choice;
  for (const Coverage::Dimension& dimension : dimensions_of_systems)
    choice.push_back(random.of(dimension.values));
  choice[5] = levels;
  choice[6] = fault;
  if (choice[0] == "barrier") choice[1] = "0";
  if (choice[0] == "send") choice[3] = "2";
  return choice;
}

/// Pairs that `choice` would be the first to try.
int news(const Coverage& coverage, const Choice& choice) {
  int pairs = 0;
  for (std::size_t a = 0; a < choice.size(); ++a) {
    for (std::size_t b = a + 1; b < choice.size(); ++b) {
      pairs += coverage.hits({dimensions_of_systems[a].name, choice[a]},
                             {dimensions_of_systems[b].name, choice[b]}) == 0;
    }
  }
  return pairs;
}

/// The best of a few random choices, so that what has not been tried comes soon.
Choice next_choice(const Coverage& coverage, const std::string& levels, const std::string& fault,
                   Random& random) {
  Choice best = random_choice(levels, fault, random);
  for (int i = 0; i < 20; ++i) {
    Choice other = random_choice(levels, fault, random);
    if (news(coverage, other) > news(coverage, best)) best = other;
  }
  return best;
}

/// Lines of the trace for operation number `i` of a system with so many NPUs.
std::string lines_of(const Choice& choice, int i, std::uint32_t npus, Random& random) {
  const auto members = static_cast<std::uint32_t>(std::stoul(choice[3]));
  const std::vector<std::uint32_t> group = random.some(members, npus);
  const std::string id = fmt::format("o{}", i);
  if (choice[0] == "send") {
    const std::string common = fmt::format(R"(,"bytes":{},"class":"{}","tag":{})", choice[1], choice[4], i);
    return line(id, "send", {group[0]}, fmt::format(R"({},"to":{})", common, group[1])) +
           line(id + "r", "recv", {group[1]}, fmt::format(R"({},"from":{})", common, group[0]));
  }
  std::string more = fmt::format(R"(,"class":"{}")", choice[4]);
  if (choice[0] != "barrier") more += fmt::format(R"(,"bytes":{},"dtype":"{}")", choice[1], choice[2]);
  if (choice[0] == "reduce" || choice[0] == "broadcast" || choice[0] == "scatter" || choice[0] == "gather") {
    more += fmt::format(R"(,"root":{})", random.of(group));
  }
  if (choice[0] == "all_reduce" || choice[0] == "reduce" || choice[0] == "reduce_scatter") {
    more += fmt::format(R"(,"op":"{}")", random.of<std::string>({"sum", "min", "max"}));
  }
  if (random.below(4) == 0) more += fmt::format(R"(,"after_all":["c{}"])", random.below(8));
  return line(id, choice[0], group, more);
}

std::vector<std::string> random_sets(Random& random) {
  const std::vector<std::string> buffers = {"4 KiB", "8 KiB", "24 KiB", "unlimited"};
  return {fmt::format("switch.middle={}", 2 + random.below(3)),
          "switch.route_memory=64 KiB",
          fmt::format("switch.staging={}", 1 + random.below(3)),
          "switch.preemption=" + random.of<std::string>({"true", "false"}),
          "buffer.mp=" + random.of(buffers),
          "buffer.pp=" + random.of(buffers),
          "buffer.dp=" + random.of(buffers),
          fmt::format("link.latency={} ps", random.below(10000)),
          fmt::format("seed={}", random.below(1000000)),
          "data.pattern=" + random.of<std::string>({"exact", "rounding"})};
}

}  // namespace

void run_random_systems(std::uint64_t seed, int workloads) {
  Coverage coverage(dimensions_of_systems);
  exclude_what_cannot_be(coverage);
  for (int w = 0; w < workloads; ++w) {
    Random random(seed + static_cast<std::uint64_t>(w));
    const int levels = 1 + w % 4;
    const sw::TreeShape shape =
        levels == 1 ? sw::single_switch(8) : random_tree(random, static_cast<std::uint32_t>(levels));
    const auto npus = static_cast<std::uint32_t>(shape.npus());
    const std::string fault = dimensions_of_systems[6].values[static_cast<std::size_t>(w / 4 % 4)];
    std::string lines;
    for (std::uint32_t n = 0; n < npus; ++n)
      lines += line(fmt::format("c{}", n), "compute", {n}, fmt::format(R"(,"ns":{})", random.below(50)));
    for (int i = 0; i < 8; ++i) {
      const Choice choice = next_choice(coverage, std::to_string(levels), fault, random);
      coverage.hit(choice);
      lines += lines_of(choice, i, npus, random);
    }
    Replay replay;
    if (levels > 1) replay.configuration = configuration_text(shape);
    replay.workload = workload_of(lines, npus);
    replay.sets = random_sets(random);
    if (fault == "pressure")
      replay.sets.push_back(fmt::format("pressure.seed={}", 1 + random.below(1000000)));
    const bool loss = fault.substr(0, 4) == "loss";
    if (loss) {
      replay.sets.push_back("reliability=" + fault.substr(6));
      replay.sets.emplace_back("faults.bit_error_rate=1e-6");
    }
    SCOPED_TRACE(fmt::format("workload {} of seed {}, {}\n{}{}", w, seed, fmt::join(replay.sets, ", "),
                             replay.configuration, lines));
    const nlohmann::json whole = simulate(replay);
    ASSERT_TRUE(is_right(whole)) << whole["waiting"].dump(1);
    expect_counters(whole);
    if (!loss) expect_traffic(replay.workload, whole, shape, Links::planes_together);
    replay.sets.emplace_back("switch.abstraction=microswitch");
    const nlohmann::json modules = simulate(replay);
    ASSERT_EQ(without_abstraction(whole), without_abstraction(modules));
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(fmt::format("{}", fmt::join(coverage.empty_bins(), "\n")), "");
}

}  // namespace fredsim::tb::test
