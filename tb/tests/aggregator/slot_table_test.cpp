// The slot memory without SystemC: sums, memory, and the faults that users of such code know.
#include "fpga_agg/aggregator/slot_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <random>

#include "hw/core/error.h"
#include "hw/core/reduce.h"

namespace fredsim::agg::test {
namespace {

using Outcome = SlotTable::Outcome;

SlotTable::Config config_of(std::uint64_t memory,
                            Organization organization = Organization::accumulate_on_arrival,
                            Overflow overflow = Overflow::drop) {
  SlotTable::Config config;
  config.memory = hw::Capacity::bytes(memory);
  config.organization = organization;
  config.overflow = overflow;
  return config;
}

SessionConfig session_of(std::uint32_t sources, std::uint64_t packets, hw::DType dtype = hw::DType::fp32) {
  SessionConfig session;
  session.sources = sources;
  session.packets = packets;
  session.packet_elements = 4;
  session.last_elements = 1;
  session.dtype = dtype;
  return session;
}

std::vector<std::byte> floats(std::vector<float> values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<float> result_of(const SlotTable& table) {
  std::vector<float> values(table.result().elements);
  std::memcpy(values.data(), table.result().data, values.size() * sizeof(float));
  return values;
}

constexpr std::uint64_t slot = 16;  // four FP32 accumulators
const std::vector<std::byte> ones = floats({1, 1, 1, 1});
const std::vector<std::byte> twos = floats({2, 2, 2, 2});

TEST(SlotTable, AddsWhateverTheOrder) {
  SlotTable table(config_of(10 * slot));
  const SessionId s = table.open(session_of(3, 2));
  EXPECT_EQ(table.arrive(s, 2, 0, floats({1, 2, 3, 4}).data()), Outcome::kept);
  EXPECT_EQ(table.arrive(s, 2, 1, floats({5}).data()), Outcome::kept);
  EXPECT_EQ(table.used(), slot + 4);
  EXPECT_EQ(table.arrive(s, 0, 0, floats({10, 20, 30, 40}).data()), Outcome::kept);
  EXPECT_EQ(table.arrive(s, 1, 0, floats({100, 200, 300, 400}).data()), Outcome::complete);
  EXPECT_EQ(result_of(table), (std::vector<float>{111, 222, 333, 444}));
  EXPECT_EQ(table.result().sources, 3u);
  EXPECT_EQ(table.passed(s), 1u);
  EXPECT_EQ(table.arrive(s, 0, 1, floats({1}).data()), Outcome::kept);
  EXPECT_EQ(table.arrive(s, 1, 1, floats({1}).data()), Outcome::complete);
  EXPECT_EQ(result_of(table), (std::vector<float>{7}));
  EXPECT_TRUE(table.done(s));
  EXPECT_EQ(table.used(), 0u);
  EXPECT_EQ(table.peak(), slot + 4);
}

TEST(SlotTable, TheNextRoundDoesNotAddOntoTheLast) {
  SlotTable table(config_of(slot));
  for (int round = 0; round < 3; ++round) {
    const SessionId s = table.open(session_of(2, 2));
    EXPECT_EQ(table.arrive(s, 0, 0, ones.data()), Outcome::kept);
    EXPECT_EQ(table.arrive(s, 1, 0, ones.data()), Outcome::complete);
    EXPECT_EQ(result_of(table), (std::vector<float>{2, 2, 2, 2}));
  }
}

TEST(SlotTable, DuplicateCountsOnce) {
  SlotTable table(config_of(10 * slot));
  const SessionId s = table.open(session_of(2, 2));
  EXPECT_EQ(table.arrive(s, 0, 0, ones.data()), Outcome::kept);
  EXPECT_EQ(table.arrive(s, 0, 0, ones.data()), Outcome::duplicate);
  EXPECT_EQ(table.arrive(s, 1, 0, twos.data()), Outcome::complete);
  EXPECT_EQ(result_of(table), (std::vector<float>{3, 3, 3, 3}));
}

TEST(SlotTable, LateAfterReuseOfTheSlot) {
  SlotTable table(config_of(slot));
  const SessionId s = table.open(session_of(2, 3));
  table.arrive(s, 0, 0, ones.data());
  EXPECT_EQ(table.arrive(s, 1, 0, ones.data()), Outcome::complete);
  EXPECT_EQ(table.arrive(s, 0, 1, twos.data()), Outcome::kept);  // in the same memory
  EXPECT_EQ(table.arrive(s, 0, 0, ones.data()), Outcome::late);
  EXPECT_EQ(table.arrive(s, 1, 0, ones.data()), Outcome::late);
  EXPECT_EQ(table.arrive(s, 1, 1, twos.data()), Outcome::complete);
  EXPECT_EQ(result_of(table), (std::vector<float>{4, 4, 4, 4}));
}

TEST(SlotTable, OneSourceNeedsNoMemoryAndNoneIsDoneAtOnce) {
  SlotTable table(config_of(0));
  const SessionId one = table.open(session_of(1, 2));
  EXPECT_EQ(table.arrive(one, 0, 0, ones.data()), Outcome::complete);
  EXPECT_EQ(result_of(table), (std::vector<float>{1, 1, 1, 1}));
  EXPECT_EQ(table.arrive(one, 0, 1, floats({7}).data()), Outcome::complete);
  EXPECT_EQ(result_of(table), (std::vector<float>{7}));
  EXPECT_TRUE(table.done(table.open(session_of(0, 5))));
}

TEST(SlotTable, TwoSessionsShareTheMemoryAndNothingElse) {
  SlotTable table(config_of(2 * slot));
  const SessionId a = table.open(session_of(2, 2));
  const SessionId b = table.open(session_of(2, 2));
  EXPECT_EQ(table.arrive(a, 0, 0, ones.data()), Outcome::kept);
  EXPECT_EQ(table.arrive(b, 0, 0, twos.data()), Outcome::kept);
  EXPECT_EQ(table.arrive(b, 1, 0, twos.data()), Outcome::complete);
  EXPECT_EQ(result_of(table), (std::vector<float>{4, 4, 4, 4}));
  EXPECT_EQ(table.arrive(a, 1, 0, ones.data()), Outcome::complete);
  EXPECT_EQ(result_of(table), (std::vector<float>{2, 2, 2, 2}));
}

TEST(SlotTable, FullMemoryDropsAndAsksAgainWhenThereIsRoom) {
  SlotTable table(config_of(slot));
  const SessionId s = table.open(session_of(2, 3));
  EXPECT_EQ(table.arrive(s, 0, 0, ones.data()), Outcome::kept);
  EXPECT_EQ(table.arrive(s, 0, 1, ones.data()), Outcome::dropped);
  EXPECT_TRUE(table.requests().empty());
  EXPECT_EQ(table.arrive(s, 1, 0, ones.data()), Outcome::complete);
  const auto requests = table.requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].source, 0u);
  EXPECT_EQ(requests[0].packet, 1u);
  EXPECT_EQ(table.used(), slot);  // set aside
  EXPECT_TRUE(table.requests().empty());
  EXPECT_EQ(table.arrive(s, 1, 1, twos.data()), Outcome::kept);
  EXPECT_EQ(table.arrive(s, 0, 1, ones.data()), Outcome::complete);
  EXPECT_EQ(result_of(table), (std::vector<float>{3, 3, 3, 3}));
}

TEST(SlotTable, FullMemoryLetsPacketsPassUnsummed) {
  SlotTable table(config_of(slot, Organization::accumulate_on_arrival, Overflow::bypass));
  const SessionId s = table.open(session_of(3, 3));
  EXPECT_EQ(table.arrive(s, 0, 0, ones.data()), Outcome::kept);
  EXPECT_EQ(table.arrive(s, 0, 1, ones.data()), Outcome::bypassed);
  EXPECT_EQ(table.arrive(s, 0, 1, ones.data()), Outcome::duplicate);
  EXPECT_EQ(table.arrive(s, 1, 0, ones.data()), Outcome::kept);
  EXPECT_EQ(table.arrive(s, 2, 0, ones.data()), Outcome::complete);
  EXPECT_EQ(table.arrive(s, 1, 1, twos.data()), Outcome::kept);
  EXPECT_EQ(table.arrive(s, 2, 1, twos.data()), Outcome::complete);
  EXPECT_EQ(table.result().sources, 2u);  // the third has passed already
  EXPECT_EQ(result_of(table), (std::vector<float>{4, 4, 4, 4}));
}

TEST(SlotTable, GapsAndTheLastPacketAreMissed) {
  SlotTable table(config_of(10 * slot));
  const SessionId s = table.open(session_of(2, 4));
  table.note_stream(s, 0, 0);
  table.arrive(s, 0, 0, ones.data());
  table.note_stream(s, 0, 2);
  table.arrive(s, 0, 2, ones.data());
  auto requests = table.requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].packet, 1u);
  for (std::uint64_t p = 0; p < 4; ++p) {
    table.note_stream(s, 1, p);
    table.arrive(s, 1, p, ones.data());
  }
  EXPECT_TRUE(table.next_lacks(s, 0));
  EXPECT_FALSE(table.next_lacks(s, 1));
  EXPECT_TRUE(table.waits_for(s, 0));
  EXPECT_FALSE(table.waits_for(s, 1));
  table.note_silence(s, 0, true);  // packet 3, and packet 1 once more
  requests = table.requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(table.arrive(s, 0, 3, floats({5}).data()), Outcome::complete);
  EXPECT_EQ(table.arrive(s, 0, 1, ones.data()), Outcome::complete);
  EXPECT_TRUE(table.done(s));
}

TEST(SlotTable, ExcludedSourceIsLeftOut) {
  SlotTable table(config_of(10 * slot));
  const SessionId s = table.open(session_of(3, 3));
  table.arrive(s, 0, 0, ones.data());
  table.arrive(s, 1, 0, ones.data());
  table.arrive(s, 0, 1, ones.data());
  table.exclude(s, 2);
  EXPECT_TRUE(table.partial(s));
  EXPECT_EQ(table.take_excluded(s), std::optional<std::uint64_t>(0));
  EXPECT_EQ(table.result().sources, 2u);
  EXPECT_EQ(result_of(table), (std::vector<float>{2, 2, 2, 2}));
  EXPECT_EQ(table.take_excluded(s), std::nullopt);
  EXPECT_EQ(table.arrive(s, 2, 1, ones.data()), Outcome::late);
  EXPECT_EQ(table.arrive(s, 1, 1, twos.data()), Outcome::complete);
  EXPECT_EQ(result_of(table), (std::vector<float>{3, 3, 3, 3}));
}

TEST(SlotTable, AccumulatorsAreWideOrNot) {
  const float values[] = {2048, 1, 1, 1, 1, 1, 1, 1, 1};
  for (const Accumulator accumulator : {Accumulator::as_wide, Accumulator::fp32}) {
    SlotTable::Config config = config_of(1000);
    config.accumulator = accumulator;
    SlotTable table(config);
    SessionConfig session = session_of(9, 1, hw::DType::fp16);
    const SessionId s = table.open(session);
    for (std::uint32_t source = 0; source < 9; ++source) {
      std::uint16_t half;
      hw::round_from_fp32(hw::DType::fp16, &values[source], &half, 1);
      table.arrive(s, source, 0, reinterpret_cast<const std::byte*>(&half));
    }
    float sum;
    hw::widen_to_fp32(hw::DType::fp16, table.result().data, &sum, 1);
    // FP16 holds no 2049: one at a time nothing is added.
    EXPECT_EQ(sum, accumulator == Accumulator::fp32 ? 2056.0f : 2048.0f);
    EXPECT_EQ(table.peak(), accumulator == Accumulator::fp32 ? 4u : 2u);
  }
}

/// buffer_per_source adds in the order of the sources: the same bits whatever the order of arrival.
TEST(SlotTable, FixedOrderGivesTheSameBits) {
  std::vector<std::uint32_t> order = {0, 1, 2, 3};
  const std::vector<std::vector<std::byte>> data = {floats({16777216, 1, 0, 0}), floats({1, 1e-8f, 0, 0}),
                                                    floats({1, -1, 0, 0}), floats({-16777216, 3, 0, 0})};
  std::vector<float> first;
  do {
    SlotTable table(config_of(100 * slot, Organization::buffer_per_source));
    const SessionId s = table.open(session_of(4, 2));
    for (const std::uint32_t source : order) table.arrive(s, source, 0, data[source].data());
    if (first.empty()) first = result_of(table);
    EXPECT_EQ(std::memcmp(result_of(table).data(), first.data(), 16), 0);
    EXPECT_EQ(table.peak(), 3 * slot);
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(first[0], 0.0f);  // 2^24 + 1 = 2^24 in FP32, twice
}

TEST(SlotTable, RefusesWhatDoesNotExist) {
  SlotTable table(config_of(slot));
  const SessionId s = table.open(session_of(2, 2));
  EXPECT_THROW(table.arrive(s + 1, 0, 0, nullptr), hw::InternalError);
  EXPECT_THROW(table.arrive(s, 2, 0, nullptr), hw::InternalError);
  EXPECT_THROW(table.arrive(s, 0, 2, nullptr), hw::InternalError);
}

/// Sources that send in order, lose packets and answer requests after a while: everything completes, with the
/// right sums, in whatever memory, and the memory is never exceeded.
TEST(SlotTable, RandomTrafficAlwaysCompletes) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t n) { return random() % n; };
    const auto organization =
        below(2) == 0 ? Organization::accumulate_on_arrival : Organization::buffer_per_source;
    const auto overflow = below(3) == 0 ? Overflow::bypass : Overflow::drop;
    const auto sources = static_cast<std::uint32_t>(1 + below(6));
    const std::uint64_t packets = 1 + below(30);
    const std::uint64_t least = sources < 2                                       ? 0
                                : organization == Organization::buffer_per_source ? sources - 1
                                                                                  : 1;
    const std::uint64_t memory = slot * (least + below(8));
    SlotTable table(config_of(memory, organization, overflow));
    const int sessions = 1 + static_cast<int>(below(2));
    struct Source {
      std::uint64_t next = 0;
    };
    std::vector<std::vector<Source>> streams(sessions, std::vector<Source>(sources));
    std::vector<std::vector<float>> got(sessions, std::vector<float>(packets, 0));
    std::vector<std::vector<std::uint32_t>> counted(sessions, std::vector<std::uint32_t>(packets, 0));
    std::deque<SlotTable::Request> asked;
    for (int s = 0; s < sessions; ++s) table.open(session_of(sources, packets));
    const auto value = [](int s, std::uint32_t source, std::uint64_t packet) {
      return static_cast<float>(1 + s + 3 * source + 7 * packet % 11);
    };
    const auto deliver = [&](int s, std::uint32_t source, std::uint64_t packet) {
      const float v = value(s, source, packet);
      const auto data = floats({v, v, v, v});
      const Outcome outcome = table.arrive(static_cast<SessionId>(s), source, packet, data.data());
      if (outcome == Outcome::complete) {
        got[s][packet] += result_of(table)[0];
        counted[s][packet] += table.result().sources;
      } else if (outcome == Outcome::bypassed) {
        got[s][packet] += v;
        ++counted[s][packet];
      }
      EXPECT_LE(table.used(), memory);
    };
    const auto all_done = [&] {
      for (int s = 0; s < sessions; ++s) {
        if (!table.done(static_cast<SessionId>(s))) return false;
      }
      return true;
    };
    int steps = 0;
    while (!all_done() && ++steps < 200'000) {
      const int s = static_cast<int>(below(sessions));
      const auto source = static_cast<std::uint32_t>(below(sources));
      Source& stream = streams[s][source];
      if (stream.next < packets && below(3) > 0) {
        const std::uint64_t packet = stream.next++;
        if (below(10) == 0) continue;  // lost
        table.note_stream(static_cast<SessionId>(s), source, packet);
        deliver(s, source, packet);
        if (below(20) == 0) deliver(s, source, packet);
      } else if (!asked.empty()) {
        const SlotTable::Request r = asked.front();
        asked.pop_front();
        if (below(10) > 0) deliver(static_cast<int>(r.session), r.source, r.packet);
      } else if (stream.next == packets) {
        table.note_silence(static_cast<SessionId>(s), source, true);
      }
      for (const SlotTable::Request& r : table.requests()) {
        EXPECT_LT(r.packet, streams[r.session][r.source].next);  // never what was not sent yet
        asked.push_back(r);
      }
    }
    ASSERT_TRUE(all_done());
    EXPECT_EQ(table.used(), 0u);
    for (int s = 0; s < sessions; ++s) {
      for (std::uint64_t p = 0; p < packets; ++p) {
        float sum = 0;
        for (std::uint32_t source = 0; source < sources; ++source) sum += value(s, source, p);
        EXPECT_EQ(got[s][p], sum) << "session " << s << " packet " << p;
        EXPECT_EQ(counted[s][p], sources);
      }
    }
  }
}

}  // namespace
}  // namespace fredsim::agg::test
