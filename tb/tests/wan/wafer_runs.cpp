#include "tb/tests/wan/wafer_runs.h"

#include <gtest/gtest.h>

namespace fredsim::tb::test {

std::string wafer_set() {
  return "wan.wafer=" FREDSIM_SOURCE_DIR "/tb/configs/fred_d.yaml";
}

void expect_global_sum(std::uint64_t bytes, const std::vector<std::vector<std::string>>& rounds,
                       std::vector<std::string> sets) {
  sets.push_back(fmt::format("wan.update={} B", bytes));
  sets.push_back(wafer_set());
  WanReplay replay(sets, rounds);
  const WanResult& r = replay.run();
  ASSERT_EQ(r.status, Status::ok) << summary(r);
  EXPECT_EQ(r.wrong_elements, 0u);
  EXPECT_EQ(r.npus, 180u);
  // Of each wafer: the elements of the reduce-scatter, then bytes: shards to and from the boundary NPU, and
  // 19 shards to each of 20 NPUs; and of each round every site's elements.
  const std::uint64_t element = hw::size_of(replay.configuration.data.dtype);
  const std::uint64_t elements = bytes / element;
  const std::uint64_t shard = (elements + 19) / 20 * element;
  EXPECT_EQ(r.verified_elements, 9 * (elements + (19 + 19 + 20 * 19) * shard + rounds.size() * elements));

  for (const SiteResult& site : r.sites) {
    EXPECT_GT(site.wafer, hw::Time());
    EXPECT_GT(site.wan, hw::Time());

    EXPECT_LE(site.wafer + site.wan + site.aggregator, r.simulated);
    // NPUs have 3 TB/s, and all of the update goes in and out of the boundary NPU.
    EXPECT_GE(site.wafer.seconds(), 4 * 0.9 * static_cast<double>(bytes) / 3e12);
  }
  const auto last = std::max_element(r.sites.begin(), r.sites.end(), [](const auto& a, const auto& b) {
    return a.wafer + a.wan + a.aggregator < b.wafer + b.wan + b.aggregator;
  });
  if (rounds.size() == 1) {
    EXPECT_NEAR((last->wafer + last->wan + last->aggregator).seconds(), r.simulated.seconds(), 1e-6);
  }
}

}  // namespace fredsim::tb::test
