#include "tb/tests/wan/random_cases.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace fredsim::tb::test {
namespace {

const std::vector<Coverage::Dimension> dimensions = {
    {"sites", {"2 to 4", "5 to 9"}},
    {"cliques", {"all", "any"}},
    {"rounds", {"1", "2", "3"}},
    {"policy", {"pace", "backpressure", "drop", "bypass"}},
    {"organization", {"accumulate_on_arrival", "buffer_per_source"}},
    {"memory", {"least", "some", "unlimited"}},
    {"dtype", {"fp16", "bf16", "fp32", "int32"}},
    {"update", {"1 B", "a packet", "some packets"}},
    {"loss", {"0", "0.01", "0.2"}},
    {"jitter", {"0 s", "1.2 ms", "30 ms"}},
    {"failure", {"none", "dead", "stalled"}},
    {"on_timeout", {"wait", "partial", "abort"}}};

/// A line through all sites, in their order, and some more links.
std::string random_csv(Random& random, std::uint32_t sites) {
  std::string csv = "from,to,latency,bandwidth\n";
  for (std::uint32_t i = 0; i < sites; ++i) {
    for (std::uint32_t j = i + 1; j < sites; ++j) {
      if (j > i + 1 && random.below(2) == 0) continue;
      csv += fmt::format("{},{},{} us,{} Mb/s\n", static_cast<char>('A' + i), static_cast<char>('A' + j),
                         random.below(60000), 50 + random.below(1000));
    }
  }
  return csv;
}

agg::Round random_round(Random& random, std::uint32_t sites, bool all) {
  if (all) {
    agg::Clique everyone;
    for (std::uint32_t site = 0; site < sites; ++site) everyone.push_back(site);
    return {everyone};
  }
  agg::Round round(1 + random.below(sites));
  for (std::uint32_t site = 0; site < sites; ++site)
    round[random.below(static_cast<std::uint32_t>(round.size()))].push_back(site);
  round.erase(std::remove_if(round.begin(), round.end(), [](const agg::Clique& c) { return c.empty(); }),
              round.end());
  return agg::normalized(round, sites);
}

}  // namespace

Coverage RandomWan::coverage() {
  return Coverage(dimensions);
}

RandomWan::RandomWan(std::uint64_t seed) {
  Random random(seed);
  for (const Coverage::Dimension& dimension : dimensions) choice_.push_back(random.of(dimension.values));
  const auto chosen = [this](const char* name) -> const std::string& {
    const auto found = std::find_if(dimensions.begin(), dimensions.end(),
                                    [name](const Coverage::Dimension& d) { return d.name == name; });
    return choice_[static_cast<std::size_t>(found - dimensions.begin())];
  };
  sites_ = chosen("sites") == "2 to 4" ? 2 + random.below(3) : 5 + random.below(5);
  csv_ = random_csv(random, sites_);
  std::size_t largest = 1;
  std::uint64_t sums = 1;
  for (std::uint32_t r = 0; r < std::stoul(chosen("rounds")); ++r) {
    // Exact data hold sums of up to 256 updates in BF16, in the other formats far more.
    const bool all = chosen("cliques") == "all" && sums * sites_ <= 256;
    agg::Round round = random_round(random, sites_, all);
    std::size_t size = 1;
    for (const agg::Clique& clique : round) size = std::max(size, clique.size());
    while (sums * size > 256) {
      for (agg::Clique& clique : round) clique.resize(std::min<std::size_t>(clique.size(), 2));
      round = agg::normalized(round, sites_);
      size = 2;
      if (sums * size > 256) throw std::logic_error("a random schedule whose data are not exact");
    }
    sums *= size;
    largest = std::max(largest, size);
    schedule_.push_back(std::move(round));
  }

  const std::uint32_t packet = 300 + random.below(9000);
  const std::uint64_t element = chosen("dtype") == "fp32" || chosen("dtype") == "int32" ? 4 : 2;
  const std::uint64_t update = chosen("update") == "1 B" ? 1
                               : chosen("update") == "a packet"
                                   ? packet - random.below(200)
                                   : packet * (2 + random.below(60)) + random.below(99);
  elements_ = (update + element - 1) / element;
  // A packet's accumulators take at the most twice what it has.
  const std::uint64_t least = 2 * packet * std::max<std::uint64_t>(1, largest < 3 ? 1 : largest - 2);
  const std::string memory = chosen("memory") == "least" ? fmt::format("{} B", least)
                             : chosen("memory") == "some"
                                 ? fmt::format("{} B", least * (2 + random.below(20)))
                                 : "unlimited";
  sets_ = {fmt::format("seed={}", seed),
           fmt::format("packet.bytes={} B", packet),
           fmt::format("packet.control={} B", 64),
           fmt::format("wan.update={} B", update),
           "aggregator.memory=" + memory,
           "aggregator.organization=" + chosen("organization"),
           "aggregator.policy=" + chosen("policy"),
           "aggregator.on_timeout=" + chosen("on_timeout"),
           fmt::format("aggregator.timeout={} ms", 50 + random.below(300)),
           "aggregator.retries=40",
           std::string("aggregator.accumulator=") + (random.below(2) == 0 ? "as_wide" : "fp32"),
           "data.dtype=" + chosen("dtype"),
           "wan.loss=" + chosen("loss"),
           "wan.jitter=" + chosen("jitter"),
           std::string("wan.contention=") + (random.below(2) == 0 ? "access_only" : "all_links"),
           std::string("wan.start=") + (random.below(2) == 0 ? "arrival_aligned" : "simultaneous")};
  failing_ = random.below(sites_);
  fails_after_ = random.below(60);
}

std::vector<std::string> RandomWan::expect_right_or_reason() const {
  const OwnWan wan(csv_, sets_);
  WanOptions options;
  options.until = hw::parse_time("1000 s");
  const std::string& failure = choice_[10];
  WanSimulation simulation(wan.configuration,
                           plan_wan(wan.configuration, wan_topology(wan.configuration), schedule_), options);
  agg::WanSite& failing = *simulation.system().sites()[failing_];
  if (failure == "dead") failing.fail_after(fails_after_);
  if (failure == "stalled") failing.fail_after(fails_after_, hw::parse_time("700 ms"));
  const WanResult& r = simulation.run();
  EXPECT_EQ(r.wrong_elements, 0u) << summary(r);
  if (failure == "none" || failure == "stalled") {
    EXPECT_EQ(r.status, Status::ok) << summary(r);
  }
  if (r.status == Status::ok) {
    EXPECT_EQ(r.verified_elements, schedule_.size() * sites_ * elements_);
    EXPECT_TRUE(r.reasons.empty());
    return {};
  }
  EXPECT_EQ(r.status, Status::unfinished) << summary(r);
  const std::string name = r.sites[failing_].name;
  const bool named = std::any_of(r.reasons.begin(), r.reasons.end(), [&name](const std::string& reason) {
    return reason.find(": " + name + " has sent nothing of round ") != std::string::npos;
  });
  EXPECT_TRUE(named) << summary(r);
  return r.reasons;
}

void run_random_wans(std::uint64_t seed, int runs, Coverage& coverage) {
  for (int run = 0; run < runs; ++run) {
    const std::uint64_t own = seed + static_cast<std::uint64_t>(run);
    const RandomWan wan(own);
    coverage.hit(wan.choice());
    try {
      apart([&wan] {
        wan.expect_right_or_reason();
        return std::string();
      });
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << own << " (FREDSIM_TEST_SEED replays it), "
                    << fmt::format("{}", fmt::join(wan.choice(), ", ")) << ": " << error.what();
      return;  // the processes that follow would inherit the failure
    }
  }
}

}  // namespace fredsim::tb::test
