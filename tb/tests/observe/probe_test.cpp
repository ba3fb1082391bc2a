#include "hw/observe/probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "hw/core/error.h"
#include "tb/tests/observe/recording.h"

namespace fredsim::hw::test {
namespace {

void expect_statistics(const Simulation& simulation, std::size_t probe, std::int64_t end_fs) {
  const ProbeInfo& info = simulation.probes[probe].info();
  const std::vector<std::int64_t> values = evaluate(info.initial, simulation.calls[probe], end_fs);
  const ProbeStatistics statistics = simulation.probes[probe].statistics(Time::fs(end_fs));
  std::int64_t integral = 0;
  std::int64_t full = 0;
  for (std::int64_t t = 0; t < end_fs; ++t) {
    integral += values[static_cast<std::size_t>(t)];
    if (info.full && values[static_cast<std::size_t>(t)] >= *info.full) ++full;
  }
  EXPECT_EQ(statistics.value, values.back());
  EXPECT_EQ(statistics.peak, *std::max_element(values.begin(), values.end()));
  EXPECT_DOUBLE_EQ(statistics.mean, end_fs == 0
                                        ? static_cast<double>(values.back())
                                        : static_cast<double>(integral) / static_cast<double>(end_fs));
  EXPECT_EQ(statistics.full.fs(), full);
}

TEST(Probe, ABufferThatFillsAndDrains) {
  Simulation simulation;
  const std::size_t buffer = simulation.add({"b.occupancy", "B", "", ProbeKind::level, 8192});
  simulation.change(buffer, 0, 4096);
  simulation.change(buffer, 100, 4096);
  simulation.change(buffer, 200, -4096);
  simulation.change(buffer, 400, -4096);
  const ProbeStatistics statistics = simulation.probes[buffer].statistics(Time::fs(800));
  EXPECT_EQ(statistics.peak, 8192);
  EXPECT_EQ(statistics.value, 0);
  EXPECT_DOUBLE_EQ(statistics.mean, (100 * 4096 + 100 * 8192 + 200 * 4096) / 800.0);
  EXPECT_EQ(statistics.full, Time::fs(100));
}

TEST(Probe, StatisticsEqualAStepByStepEvaluationInAnyOrderOfCalls) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Simulation simulation;
    simulation.add({"p.number", "", "", ProbeKind::number, 3, static_cast<std::int64_t>(random() % 9) - 4});
    simulation.add({"p.level", "B", "", ProbeKind::level, 20, 5});
    simulation.add({"p.flag", "", "", ProbeKind::flag, 1, 1});
    const auto end_fs = static_cast<std::int64_t>(1 + random() % 1000);
    simulation.play(random, static_cast<int>(random() % 400), end_fs);
    for (std::size_t probe = 0; probe < simulation.probes.size(); ++probe) {
      expect_statistics(simulation, probe, end_fs);
      // Asking alters nothing, and a later end takes in what lay ahead.
      expect_statistics(simulation, probe, end_fs);
      expect_statistics(simulation, probe, 2 * end_fs);
    }
  }
}

TEST(Probe, ChangesOfOneInstantApplyInTheOrderOfTheCalls) {
  Simulation simulation;
  const std::size_t probe = simulation.add({"p.x", "", "", ProbeKind::number});
  simulation.set(probe, 10, 5);
  simulation.change(probe, 10, 2);
  simulation.change(probe, 20, 100);
  simulation.set(probe, 20, 1);
  EXPECT_EQ(simulation.probes[probe].statistics(Time::fs(15)).value, 7);
  EXPECT_EQ(simulation.probes[probe].statistics(Time::fs(25)).value, 1);
}

TEST(Probe, WhatComesAndGoesWithinOneInstantIsNoPeak) {
  Simulation simulation;
  const std::size_t probe = simulation.add({"p.x", "B", "", ProbeKind::level, 10});
  simulation.change(probe, 10, 50);
  simulation.change(probe, 10, -50);
  const ProbeStatistics statistics = simulation.probes[probe].statistics(Time::fs(20));
  EXPECT_EQ(statistics.peak, 0);
  EXPECT_EQ(statistics.full, Time());
}

TEST(Probe, ManyChangesFarAheadAmongManyNear) {
  // A long link: each packet enters now and leaves a hundred thousand steps later.
  Simulation simulation;
  Probe probe(simulation.recorder, {"link.packets", "packets", "", ProbeKind::level});
  constexpr std::int64_t packets = 300'000;
  constexpr std::int64_t flight = 100'000;
  for (std::int64_t t = 0; t < packets; ++t) {
    simulation.now = Time::fs(t);
    probe.add(simulation.now, 1);
    probe.add(simulation.now + Time::fs(flight), -1);
  }
  const ProbeStatistics statistics = probe.statistics(Time::fs(packets + flight));
  EXPECT_EQ(statistics.value, 0);
  EXPECT_EQ(statistics.peak, flight);
  EXPECT_DOUBLE_EQ(statistics.mean, static_cast<double>(packets) * flight / (packets + flight));
}

TEST(Probe, LargeValuesOverLongTimesAreExact) {
  Simulation simulation;
  const std::int64_t large = std::int64_t{1} << 55;
  const std::size_t probe = simulation.add({"p.x", "B", "", ProbeKind::level, large, large});
  const Time day = Time::fs(std::int64_t{1} << 60);
  const ProbeStatistics statistics = simulation.probes[probe].statistics(day);
  EXPECT_EQ(statistics.mean, static_cast<double>(large));
  EXPECT_EQ(statistics.full, day);
}

TEST(Probe, StatisticsAtTimeZero) {
  Simulation simulation;
  const std::size_t probe = simulation.add({"p.x", "B", "", ProbeKind::level, std::nullopt, 4});
  EXPECT_EQ(simulation.probes[probe].statistics(Time()).mean, 4);
  simulation.set(probe, 0, 6);
  EXPECT_EQ(simulation.probes[probe].statistics(Time()).peak, 6);
}

TEST(Probe, ContradictionsAreNamed) {
  Simulation simulation;
  Probe level(simulation.recorder, {"p.level", "B", "", ProbeKind::level});
  Probe silent(simulation.recorder, {"p.silent", "", "", ProbeKind::state});
  EXPECT_THROW(silent.statistics(Time::fs(1)), InternalError);
  EXPECT_THROW(Probe(simulation.recorder, {"p.level", "", "", ProbeKind::flag}), InternalError);
  for (const char* path :
       {"", "top", ".a", "a.", "a..b", "a.b c", "a.b[3]", "a.-b", "a.b\n", "a.$end", "a.\xc3\xa9"}) {
    EXPECT_THROW(Probe(simulation.recorder, {path, "", "", ProbeKind::flag}), InternalError) << path;
  }
  level.set(Time::fs(5), 1);
  simulation.now = Time::fs(100);
  for (int i = 0; i < 20; ++i) level.set(Time::fs(100 + i), i);
  EXPECT_THROW(level.set(Time::fs(99), 1), InternalError);
  EXPECT_THROW(level.statistics(Time::fs(90)), InternalError);
  level.set(Time::fs(130), -1);
  simulation.now = Time::fs(200);
  try {
    for (int i = 0; i < 40; ++i) level.set(Time::fs(200), i);
    FAIL() << "a negative level is accepted";
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("p.level: becomes -1 at 130 fs"), std::string::npos)
        << error.what();
  }
}

TEST(Probe, PathPartsComeFromAnyText) {
  EXPECT_EQ(path_part("in3"), "in3");
  EXPECT_EQ(path_part("S\xc3\xa3o Paulo"), "S__o_Paulo");
  EXPECT_EQ(path_part("-x"), "_x");
  EXPECT_EQ(path_part("a.b[0]"), "a_b_0_");
  EXPECT_EQ(path_part(""), "_");
}

}  // namespace
}  // namespace fredsim::hw::test
