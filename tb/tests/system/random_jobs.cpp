#include "tb/tests/system/random_jobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tb/tests/system/closed_form.h"
#include "tb/tests/system/trees.h"
#include "traces/generate/generate.h"

namespace fredsim::tb::test {
namespace {

const std::vector<Coverage::Dimension> dimensions_of_jobs = {{"system", {"Fred-B", "Fred-D"}},
                                                             {"skew", {"5 ns", "10 us"}},
                                                             {"groups", {"disjoint", "overlapping"}},
                                                             {"jobs", {"1", "2", "3", "4", "5", "6"}},
                                                             {"classes", {"1", "2", "3"}},
                                                             {"planes", {"1", "2", "4"}}};

/// Two members at least. Disjoint ones are small neighbours half of the time, so that some need no planes of
/// their own.
std::vector<std::vector<std::uint32_t>> random_groups(std::uint32_t jobs, bool disjoint, Random& random) {
  std::vector<std::vector<std::uint32_t>> groups;
  if (!disjoint) {
    for (std::uint32_t j = 0; j < jobs; ++j) groups.push_back(random.some(2 + random.below(19), 20));
    return groups;
  }
  std::vector<std::uint32_t> left = random.some(20, 20);
  const bool neighbours = random.below(2) == 0;
  if (neighbours) std::sort(left.begin(), left.end());
  for (std::uint32_t j = 0; j < jobs; ++j) {
    auto most = static_cast<std::uint32_t>(left.size()) - 2 * (jobs - 1 - j);
    if (neighbours) most = std::min(most, 4u);
    const std::uint32_t members = 2 + random.below(most - 1);
    groups.emplace_back(left.end() - members, left.end());
    left.resize(left.size() - members);
  }
  return groups;
}

std::string collective(const std::string& id, const std::vector<std::uint32_t>& group,
                       const std::string& traffic_class, const std::vector<std::string>& after,
                       Random& random) {
  const std::string type = random.of<std::string>(
      {"all_reduce", "all_reduce", "all_reduce", "all_reduce", "reduce_scatter", "reduce_scatter", "reduce",
       "reduce", "reduce", "broadcast", "all_gather", "scatter", "gather", "all_to_all", "barrier"});
  std::string more =
      fmt::format(R"(,"class":"{}","after":["{}"])", traffic_class, fmt::join(after, R"(",")"));
  if (type != "barrier") {
    more += fmt::format(R"(,"bytes":{},"dtype":"{}")", random.below(80000),
                        random.of<std::string>({"fp16", "bf16", "fp32", "int32"}));
  }
  if (type == "reduce" || type == "broadcast" || type == "scatter" || type == "gather")
    more += fmt::format(R"(,"root":{})", random.of(group));
  return line(id, type, group, more);
}

}  // namespace

RandomJobs::RandomJobs(std::uint64_t seed) {
  Random random(seed);
  for (std::size_t i = 0; i < 4; ++i) choice_.push_back(random.of(dimensions_of_jobs[i].values));
  const auto jobs = static_cast<std::uint32_t>(std::stoul(choice_[3]));
  const auto groups = random_groups(jobs, choice_[2] == "disjoint", random);
  // Each NPU computes several times on end. A job's first collective waits for any of these at each member,
  // so that NPUs are ready for the jobs in different orders.
  std::string lines;
  for (std::uint32_t npu = 0; npu < 20; ++npu) {
    for (std::uint32_t k = 0; k < jobs; ++k) {
      const std::uint32_t ps = random.below(choice_[1] == "5 ns" ? 5001 : 10000001);
      lines += line(fmt::format("c{}.{}", npu, k), "compute", {npu},
                    fmt::format(R"(,"ns":{}.{:03})", ps / 1000, ps % 1000));
    }
  }
  const std::vector<std::string> names = {"mp", "pp", "dp"};
  const std::vector<std::uint32_t> used = random.some(1 + random.below(3), 3);
  std::vector<std::string> class_of;
  for (std::uint32_t j = 0; j < jobs; ++j) class_of.push_back(names[random.of(used)]);
  for (int o = 0; o < 3; ++o) {
    for (std::uint32_t j = 0; j < jobs; ++j) {
      std::vector<std::string> after;
      for (const std::uint32_t npu : groups[j])
        after.push_back(fmt::format("c{}.{}", npu, random.below(jobs)));
      if (o > 0) after = {fmt::format("j{}.{}", j, o - 1)};
      lines += collective(fmt::format("j{}.{}", j, o), groups[j], class_of[j], after, random);
    }
  }
  const std::set<std::string> classes(class_of.begin(), class_of.end());
  choice_.push_back(std::to_string(classes.size()));
  replay.configuration = choice_[0] == "Fred-D" ? fred_d() : fred_b();
  replay.sets = {"switch.route_memory=1 MiB", "data.pattern=" + random.of<std::string>({"exact", "rounding"}),
                 fmt::format("seed={}", random.below(1000000))};
  replay.workload = workload_of(lines, 20);
}

std::vector<std::string> RandomJobs::choice(const nlohmann::json& result) const {
  int needed = 0;
  for (const auto& of_class : result["planes"]["needed"]) needed = std::max(needed, of_class.get<int>());
  std::vector<std::string> all = choice_;
  all.emplace_back(needed < 2 ? "4" : needed == 2 ? "2" : "1");
  return all;
}

Coverage RandomJobs::coverage() {
  Coverage coverage(dimensions_of_jobs);
  coverage.exclude({"jobs", "1"}, {"classes", "2"});
  coverage.exclude({"jobs", "1"}, {"classes", "3"});
  coverage.exclude({"jobs", "2"}, {"classes", "3"});
  coverage.exclude({"jobs", "1"}, {"planes", "2"});
  coverage.exclude({"jobs", "1"}, {"planes", "1"});
  coverage.exclude({"jobs", "2"}, {"planes", "1"});
  return coverage;
}

Replay strategy(std::uint32_t mp, std::uint32_t pp, std::uint32_t dp, std::uint32_t skew_ps,
                std::uint64_t seed) {
  Random random(seed);
  trace::GroupsPattern pattern;
  pattern.mp = mp;
  pattern.pp = pp;
  pattern.dp = dp;
  if (mp > 1) pattern.mp_bytes = 30001;
  if (pp > 1) pattern.pp_bytes = 20002;
  if (dp > 1) pattern.dp_bytes = 40003;
  pattern.count = 2;
  Replay replay;
  replay.workload = trace::generate_groups(pattern);
  std::vector<hw::Operation>& operations = replay.workload.operations;
  const std::size_t collectives = operations.size();
  for (std::uint32_t n = 0; n < replay.workload.npus; ++n) {
    hw::Operation late;
    late.id = fmt::format("late{}", n);
    late.npus = {hw::NpuId(n)};
    late.duration = hw::Time::fs(std::int64_t{1000} * random.below(skew_ps + 1));
    for (std::size_t o = 0; o < collectives; ++o) {
      const hw::Group& group = operations[o].npus;
      if (std::find(group.begin(), group.end(), hw::NpuId(n)) != group.end())
        operations[o].after.emplace_back(static_cast<std::uint32_t>(collectives + n));
    }
    operations.push_back(std::move(late));
  }
  replay.configuration = random.below(2) == 0 ? fred_b() : fred_d();
  return replay;
}

void run_random_jobs(std::uint64_t seed, int runs, Coverage& coverage) {
  for (int i = 0; i < runs; ++i) {
    const std::uint64_t own = seed + static_cast<std::uint64_t>(i);
    const RandomJobs jobs(own);
    SCOPED_TRACE(fmt::format("FREDSIM_TEST_SEED={}", own));
    const nlohmann::json result = simulate(jobs.replay);
    coverage.hit(jobs.choice(result));
    ASSERT_TRUE(is_right(result)) << result["status"] << result["waiting"].dump(1);
    expect_traffic(jobs.replay.workload, result, wafer(), Links::planes_together);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace fredsim::tb::test
