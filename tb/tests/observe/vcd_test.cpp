#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "hw/observe/vcd_file.h"
#include "tb/tests/observe/recording.h"
#include "tb/tests/observe/vcd_reader.h"

namespace fredsim::hw::test {
namespace {

void expect_dump_equals(const Simulation& simulation, const VcdDump& dump, std::int64_t begin,
                        std::int64_t end) {
  for (const std::string& complaint : dump.complaints) ADD_FAILURE() << complaint;
  EXPECT_EQ(dump.begin, begin);
  EXPECT_EQ(dump.end, end);
  for (const auto& [path, variable] : dump.variables) {
    std::size_t probe = 0;
    while (simulation.probes[probe].info().path != path) ++probe;
    const std::vector<std::string> expected = simulation.expected(probe, end);
    for (std::int64_t t = begin; t <= end; ++t) {
      ASSERT_EQ(variable.at(t), expected[static_cast<std::size_t>(t)]) << path << " at " << t;
    }
  }
}

TEST(Vcd, SmallDumpByteForByte) {
  const Folder folder;
  Simulation simulation;
  simulation.recorder.record({folder / "w.vcd"});
  add_one_of_each(simulation);
  simulation.recorder.start();
  simulation.change(1, 5, 9);
  simulation.set(2, 5, 1);
  simulation.set(3, 7, simulation.probes[3].state("dp 0/%"));
  simulation.change(0, 7, -1);
  simulation.change(1, 8, 1);
  simulation.change(1, 8, -1);
  const WaveformSummary summary = simulation.recorder.finish(Time::fs(20));
  EXPECT_EQ(summary.problem, "");
  EXPECT_EQ(summary.signals, 4u);
  EXPECT_EQ(summary.changes, 4u);
  const std::string text = read_file(folder / "w.vcd");
  EXPECT_EQ(summary.bytes, text.size());
  EXPECT_EQ(text,
            "$version fredsim $end\n$timescale 1 fs $end\n"
            "$scope module switch $end\n$var wire 1 # stalled $end\n"
            "$scope module in3 $end\n$scope module vc_dp $end\n"
            "$var integer 64 ! packet $end\n$var integer 64 \" occupancy $end\n"
            "$upscope $end\n$upscope $end\n$upscope $end\n"
            "$scope module npu0 $end\n$var string 1 $ operation $end\n$upscope $end\n"
            "$enddefinitions $end\n"
            "#0\n$dumpvars\nb" +
                std::string(64, '1') +
                " !\nb11 \"\n0#\nsidle $\n$end\n"
                "#5\nb1100 \"\n1#\n"
                "#7\nb" +
                std::string(63, '1') +
                "0 !\nsdp\\0400/% $\n"
                "#20\n");
}

TEST(Vcd, ReadsBackAsAStepByStepEvaluationSays) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Folder folder;
    std::mt19937_64 random(seed);
    Simulation simulation;
    simulation.recorder.record({folder / "w.vcd"});
    add_one_of_each(simulation);
    simulation.recorder.start();
    const auto end_fs = static_cast<std::int64_t>(1 + random() % 500);
    simulation.play(random, static_cast<int>(random() % 600), end_fs);
    const WaveformSummary summary = simulation.recorder.finish(Time::fs(end_fs));
    const VcdDump dump = parse_vcd(read_file(folder / "w.vcd"));
    EXPECT_EQ(dump.timescale, "1fs");
    EXPECT_FALSE(dump.has_date);
    EXPECT_EQ(dump.changes, summary.changes);
    expect_dump_equals(simulation, dump, 0, end_fs);
    EXPECT_EQ(simulation.probes[1].statistics(Time::fs(end_fs)).value,
              std::stoll(dump.variables.at("switch.in3.vc_dp.occupancy").at(end_fs)));
  }
}

// Enough changes for many batches, so that changes wait across them.
TEST(Vcd, OrderHoldsAcrossManyBatches) {
  const Folder folder;
  std::mt19937_64 random(7);
  Simulation simulation;
  simulation.recorder.record({folder / "w.vcd"});
  std::vector<Probe> probes;
  for (int i = 0; i < 40; ++i) {
    probes.emplace_back(simulation.recorder, ProbeInfo{fmt::format("p.x{}", i), "", "", ProbeKind::number});
  }
  simulation.recorder.start();
  std::vector<std::map<std::int64_t, std::int64_t>> sums(probes.size());
  constexpr int changes = 200'000;
  for (int i = 0; i < changes; ++i) {
    simulation.now = Time::fs(i / 3);
    const std::size_t p = random() % probes.size();
    const auto ahead = static_cast<std::int64_t>(random() % 10 == 0 ? random() % 60'000 : random() % 10);
    const auto delta = static_cast<std::int64_t>(random() % 100) - 50;
    probes[p].add(simulation.now + Time::fs(ahead), delta);
    sums[p][i / 3 + ahead] += delta;
  }
  simulation.recorder.finish(Time::fs(200'000));
  const VcdDump dump = parse_vcd(read_file(folder / "w.vcd"));
  for (const std::string& complaint : dump.complaints) ADD_FAILURE() << complaint;
  for (std::size_t p = 0; p < probes.size(); ++p) {
    std::vector<std::pair<std::int64_t, std::string>> expected;
    std::int64_t value = 0;
    for (const auto& [at, delta] : sums[p]) {
      value += delta;
      if (delta != 0) expected.emplace_back(at, std::to_string(value));
    }
    EXPECT_EQ(dump.variables.at(fmt::format("p.x{}", p)).changes, expected) << p;
  }
}

TEST(Vcd, EqualSimulationsGiveEqualBytes) {
  const Folder folder;
  std::string first;
  for (const char* name : {"a.vcd", "b.vcd"}) {
    std::mt19937_64 random(3);
    Simulation simulation;
    simulation.recorder.record({folder / name});
    add_one_of_each(simulation);
    simulation.recorder.start();
    simulation.play(random, 5000, 3000);
    simulation.recorder.finish(Time::fs(3000));
    const std::string text = read_file(folder / name);
    EXPECT_GT(text.size(), 10'000u);
    if (!first.empty()) {
      EXPECT_EQ(text, first);
    }
    first = text;
  }
}

// What is asked of a probe in between, and whether statistics are kept, changes nothing in the dump.
TEST(Vcd, DoesNotDependOnStatistics) {
  const Folder folder;
  std::vector<std::string> texts;
  for (const bool ask : {false, true}) {
    std::mt19937_64 random(4);
    Simulation simulation;
    simulation.recorder.record({folder / "w.vcd"});
    ProbeInfo info{"p.x", "B", "", ProbeKind::level};
    info.statistics = ask;
    simulation.add(info);
    simulation.recorder.start();
    for (int part = 1; part <= 50; ++part) {
      simulation.play(random, 30, 40 * part);
      if (ask) simulation.probes[0].statistics(simulation.now);
    }
    simulation.recorder.finish(Time::fs(2000));
    texts.push_back(read_file(folder / "w.vcd"));
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(Vcd, ThousandsOfProbesHaveDistinctIdentifiers) {
  const Folder folder;
  Simulation simulation;
  simulation.recorder.record({folder / "w.vcd"});
  constexpr std::size_t count = 20'000;  // one, two and three characters: 94 + 94^2 < 20000
  std::vector<Probe> probes;
  for (std::size_t i = 0; i < count; ++i) {
    probes.emplace_back(
        simulation.recorder,
        ProbeInfo{fmt::format("sw{}.in{}.x{}", i / 100, i / 10 % 10, i % 10), "", "", ProbeKind::level});
  }
  simulation.recorder.start();
  for (std::size_t i = 0; i < count; ++i) {
    probes[i].set(Time::fs(static_cast<std::int64_t>(1 + i % 7)), static_cast<std::int64_t>(i + 1));
  }
  simulation.recorder.finish(Time::fs(10));
  const VcdDump dump = parse_vcd(read_file(folder / "w.vcd"));
  for (const std::string& complaint : dump.complaints) ADD_FAILURE() << complaint;
  ASSERT_EQ(dump.variables.size(), count);
  for (std::size_t i = 0; i < count; ++i) {
    const VcdVariable& variable = dump.variables.at(probes[i].info().path);
    ASSERT_EQ(variable.changes.size(), 1u);
    ASSERT_EQ(variable.changes[0].first, static_cast<std::int64_t>(1 + i % 7));
    ASSERT_EQ(variable.changes[0].second, std::to_string(i + 1));
  }
}

TEST(Vcd, RecordsOnlyWhatTheGlobsSelect) {
  const Folder folder;
  Simulation simulation;
  add_one_of_each(simulation);
  // Also when asked for after the probes are there.
  simulation.recorder.record({folder / "w.vcd", {"*.occupancy", "npu0.*"}});
  simulation.recorder.start();
  EXPECT_TRUE(simulation.probes[1].recorded());
  EXPECT_TRUE(simulation.probes[3].recorded());
  EXPECT_FALSE(simulation.probes[0].recorded());
  EXPECT_FALSE(simulation.probes[2].recorded());
  std::mt19937_64 random(1);
  simulation.play(random, 300, 200);
  simulation.recorder.finish(Time::fs(200));
  const VcdDump dump = parse_vcd(read_file(folder / "w.vcd"));
  EXPECT_EQ(dump.order, (std::vector<std::string>{"switch.in3.vc_dp.occupancy", "npu0.operation"}));
  expect_dump_equals(simulation, dump, 0, 200);
}

TEST(Vcd, ChangesBeforeTheStartAreKept) {
  const Folder folder;
  Simulation simulation;
  simulation.recorder.record({folder / "w.vcd"});
  simulation.add({"npu0.operation", "", "", ProbeKind::state});
  simulation.set(0, 0, simulation.probes[0].state("$end"));
  simulation.recorder.start();
  simulation.recorder.finish(Time::fs(3));
  EXPECT_EQ(parse_vcd(read_file(folder / "w.vcd")).variables.at("npu0.operation").initial, "$end");
}

TEST(Vcd, EveryByteInAStateNameIsEscapedOrHarmless) {
  for (int byte = 1; byte < 256; ++byte) {
    const std::string escaped = escape_vcd_string(std::string(1, static_cast<char>(byte)));
    for (const char c : escaped) ASSERT_TRUE(c > ' ' && c <= '~') << byte;
  }
  EXPECT_EQ(escape_vcd_string(""), "-");
  EXPECT_EQ(escape_vcd_string("dp 0/%\\"), "dp\\0400/%\\134");
}

TEST(Vcd, WithoutARequestNothingIsWritten) {
  Simulation simulation;
  add_one_of_each(simulation);
  EXPECT_FALSE(simulation.probes[0].recorded());
  const WaveformSummary summary = simulation.recorder.finish(Time::fs(5));
  EXPECT_FALSE(summary.written);
  EXPECT_EQ(summary.problem, "");
}

}  // namespace
}  // namespace fredsim::hw::test
