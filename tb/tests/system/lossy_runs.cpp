#include "tb/tests/system/lossy_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {
namespace {

const std::vector<Coverage::Dimension> dimensions_of_losses = {
    {"lost", {"0.01 %", "0.1 %", "1 %"}},
    {"type",
     {"all_reduce", "reduce_scatter", "all_gather", "reduce", "broadcast", "scatter", "gather", "all_to_all",
      "barrier"}},
    {"size", {"0", "up to a packet", "up to 64 KiB", "up to 1 MiB"}},
    {"dtype", {"fp16", "bf16", "fp32", "int32"}},
    {"group", {"1", "2 to 4", "5 to 19", "20"}},
    {"jobs", {"1", "2", "3", "4", "5", "6"}}};

/// Such that a full packet, 32768 bits, is lost as often: 1 - (1 - rate)^32768.
std::string bit_error_rate(const std::string& lost) {
  return lost == "0.01 %" ? "3.052e-9" : lost == "0.1 %" ? "3.053e-8" : "3.067e-7";
}

std::uint32_t bytes_of(const std::string& size, Random& random) {
  if (size == "0") return 0;
  if (size == "up to a packet") return 1 + random.below(4096);
  return size == "up to 64 KiB" ? 4097 + random.below(60000) : 65537 + random.below(983040);
}

std::uint32_t members_of(const std::string& group, Random& random) {
  if (group == "1" || group == "20") return group == "1" ? 1 : 20;
  return group == "2 to 4" ? 2 + random.below(3) : 5 + random.below(15);
}

}  // namespace

std::uint64_t of_all_links(const nlohmann::json& result, const std::string& key) {
  std::uint64_t sum = 0;
  for (const auto& link : result["links"]) sum += link[key].get<std::uint64_t>();
  return sum;
}

void expect_counters(const nlohmann::json& result) {
  for (const auto& link : result["links"]) {
    EXPECT_EQ(link["sent"].get<std::uint64_t>(), link["delivered"].get<std::uint64_t>() +
                                                     link["damaged"].get<std::uint64_t>() +
                                                     link["dropped"].get<std::uint64_t>())
        << link.dump();
    EXPECT_EQ(link["sent"].get<std::uint64_t>(),
              link["packets"].get<std::uint64_t>() + link["control_packets"].get<std::uint64_t>());
  }
  EXPECT_EQ(result["packets"]["damaged"], of_all_links(result, "damaged"));
  EXPECT_EQ(result["packets"]["dropped"], of_all_links(result, "dropped"));
}

LossyJobs::LossyJobs(std::uint64_t seed, const std::string& reliability) {
  Random random(seed);
  const std::string lost = random.of(dimensions_of_losses[0].values);
  const std::string jobs = random.of(dimensions_of_losses[5].values);
  std::string lines;
  for (std::uint32_t npu = 0; npu < 20; ++npu)
    lines += line(fmt::format("c{}", npu), "compute", {npu}, fmt::format(R"(,"ns":{})", random.below(3000)));
  for (std::uint32_t j = 0; j < std::stoul(jobs); ++j) {
    const std::string group = random.of(dimensions_of_losses[4].values);
    const std::vector<std::uint32_t> npus = random.some(members_of(group, random), 20);
    const std::string traffic_class = random.of<std::string>({"mp", "pp", "dp"});
    std::vector<std::string> after;
    for (const std::uint32_t npu : npus) after.push_back(fmt::format("c{}", npu));
    for (int o = 0; o < 3; ++o) {
      const std::string type = random.of(dimensions_of_losses[1].values);
      // What every member sends to every other is kept within a second of real time.
      const bool to_all =
          type == "all_to_all" || type == "all_gather" || type == "gather" || type == "scatter";
      std::string size = random.of(dimensions_of_losses[2].values);
      const std::string dtype = random.of(dimensions_of_losses[3].values);
      std::uint32_t bytes = bytes_of(size, random);
      if (to_all && npus.size() > 4 && size == "up to 1 MiB") {
        size = "up to 64 KiB";
        bytes = bytes_of(size, random);
      }
      const std::string id = fmt::format("j{}.{}", j, o);
      std::string more =
          fmt::format(R"(,"class":"{}","after":["{}"])", traffic_class, fmt::join(after, R"(",")"));
      if (type != "barrier") more += fmt::format(R"(,"bytes":{},"dtype":"{}")", bytes, dtype);
      if (type == "reduce" || type == "broadcast" || type == "scatter" || type == "gather")
        more += fmt::format(R"(,"root":{})", random.of(npus));
      lines += line(id, type, npus, more);
      choices.push_back({lost, type, size, dtype, group, jobs});
      after = {id};
    }
  }
  replay.configuration = random.below(2) == 0 ? fred_b() : fred_d();
  replay.sets = {"switch.route_memory=1 MiB", "reliability=" + reliability,
                 "faults.bit_error_rate=" + bit_error_rate(lost),
                 "data.pattern=" + random.of<std::string>({"exact", "rounding"}),
                 fmt::format("seed={}", random.below(1000000))};
  replay.workload = workload_of(lines, 20);
}

Coverage LossyJobs::coverage() {
  Coverage coverage(dimensions_of_losses);
  return coverage;
}

void run_lossy_jobs(std::uint64_t seed, int runs, const std::string& reliability, Coverage& coverage) {
  std::uint64_t damaged = 0, resent = 0;
  for (int i = 0; i < runs; ++i) {
    const std::uint64_t own = seed + static_cast<std::uint64_t>(i);
    const LossyJobs jobs(own, reliability);
    SCOPED_TRACE(fmt::format("FREDSIM_TEST_SEED={}", own));
    const nlohmann::json result = simulate(jobs.replay);
    for (const auto& choice : jobs.choices) coverage.hit(choice);
    ASSERT_TRUE(is_right(result)) << result["status"] << result["waiting"].dump(1);
    expect_counters(result);
    damaged += result["packets"]["damaged"].get<std::uint64_t>();
    resent += result["packets"]["resent"].get<std::uint64_t>();
    if (testing::Test::HasFailure()) return;
  }
  std::printf("%llu packets damaged, %llu sent again\n", static_cast<unsigned long long>(damaged),
              static_cast<unsigned long long>(resent));
  EXPECT_GT(damaged, 0u);
}

}  // namespace fredsim::tb::test
