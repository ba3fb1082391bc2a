#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "hw/core/error.h"
#include "tb/tests/observe/recording.h"
#include "tb/tests/observe/vcd_reader.h"

namespace fredsim::hw::test {
namespace {

constexpr std::int64_t end_fs = 400;

struct Recorded {
  WaveformSummary summary;
  VcdDump dump;
  std::string text;
};

class Window : public ::testing::Test {
 protected:
  /// Plays the same traffic for the same seed, whatever is recorded of it; `events` happen half way.
  Recorded record(WaveformOptions options,
                  const std::vector<std::pair<std::string, std::int64_t>>& events = {}, int steps = 800) {
    options.path = folder_ / "w.vcd";
    simulation_ = std::make_unique<Simulation>();
    std::mt19937_64 random(11);
    simulation_->recorder.record(options);
    add_one_of_each(*simulation_);
    simulation_->recorder.start();
    simulation_->play(random, steps / 2, end_fs / 2);
    for (const auto& [name, at] : events) simulation_->recorder.event(name, Time::fs(at));
    simulation_->now = Time::fs(end_fs / 2);
    simulation_->play(random, steps / 2, end_fs);
    Recorded recorded;
    recorded.summary = simulation_->recorder.finish(Time::fs(end_fs));
    if (recorded.summary.written) {
      recorded.text = read_file(options.path);
      recorded.dump = parse_vcd(recorded.text);
      EXPECT_EQ(recorded.text.size(), recorded.summary.bytes);
      EXPECT_EQ(recorded.dump.changes, recorded.summary.changes);
    }
    return recorded;
  }

  void expect_span(const Recorded& recorded, std::int64_t from, std::int64_t to) {
    for (const std::string& complaint : recorded.dump.complaints) ADD_FAILURE() << complaint;
    ASSERT_TRUE(recorded.summary.written) << recorded.summary.problem;
    EXPECT_EQ(recorded.summary.from, Time::fs(from));
    EXPECT_EQ(recorded.summary.to, Time::fs(to));
    EXPECT_EQ(recorded.dump.begin, from);
    EXPECT_EQ(recorded.dump.end, to);
    for (std::size_t probe = 0; probe < simulation_->probes.size(); ++probe) {
      const VcdVariable& variable = recorded.dump.variables.at(simulation_->probes[probe].info().path);
      const std::vector<std::string> expected = simulation_->expected(probe, end_fs);
      for (std::int64_t t = from; t <= to; ++t) {
        ASSERT_EQ(variable.at(t), expected[static_cast<std::size_t>(t)])
            << simulation_->probes[probe].info().path << " at " << t;
      }
    }
  }

  Folder folder_;
  std::unique_ptr<Simulation> simulation_;
};

TEST_F(Window, FromAndTo) {
  WaveformOptions options;
  for (const std::int64_t from : {0, 1, 57, 200, 399}) {
    for (const std::int64_t to : {from + 1, from + 50, end_fs, 2 * end_fs}) {
      options.from = Time::fs(from);
      options.to = Time::fs(to);
      expect_span(record(options), from, std::min(to, end_fs));
    }
  }
}

TEST_F(Window, AfterItsEndNothingIsRecordedAnyMore) {
  WaveformOptions options;
  options.path = folder_ / "w.vcd";
  options.to = Time::fs(10);
  Simulation simulation;
  simulation.recorder.record(options);
  ProbeInfo info{"p.x", "", "", ProbeKind::level};
  info.statistics = false;
  Probe probe(simulation.recorder, info);
  simulation.recorder.start();
  // The window's end is noticed when a batch is written.
  for (int i = 0; i < 100'000; ++i) {
    simulation.now = Time::fs(i);
    probe.set(simulation.now, i % 100);
  }
  EXPECT_FALSE(probe.recorded());
  EXPECT_TRUE(simulation.recorder.finish(simulation.now).written);
}

TEST_F(Window, BeginsAtAnEvent) {
  WaveformOptions options;
  options.on = "op:dp0";
  expect_span(record(options, {{"op:mp0", 200}, {"op:dp0", 203}, {"op:dp0", 230}}), 203, end_fs);
  options.to = Time::fs(300);
  expect_span(record(options, {{"op:dp0", 200}}), 200, 300);
  options.from = Time::fs(220);
  expect_span(record(options, {{"op:dp0", 203}, {"op:dp0", 230}}), 230, 300);
}

TEST_F(Window, EventsAreAwaitedOnlyUntilOneCame) {
  Simulation simulation;
  EXPECT_FALSE(simulation.recorder.awaits_event());
  WaveformOptions options;
  options.path = folder_ / "w.vcd";
  options.on = "stall";
  simulation.recorder.record(options);
  add_one_of_each(simulation);
  simulation.recorder.start();
  EXPECT_TRUE(simulation.recorder.awaits_event());
  simulation.recorder.event("wrong-data", Time());
  EXPECT_TRUE(simulation.recorder.awaits_event());
  simulation.now = Time::fs(5);
  EXPECT_THROW(simulation.recorder.event("stall", Time::fs(4)), InternalError);
  simulation.recorder.event("stall", Time::fs(5));
  EXPECT_FALSE(simulation.recorder.awaits_event());
}

TEST_F(Window, KeepsTheLastStretch) {
  WaveformOptions options;
  for (const std::int64_t last : {1, 30, 399, 400, 5000}) {
    options.last = Time::fs(last);
    expect_span(record(options), std::max<std::int64_t>(0, end_fs - last), end_fs);
  }
  options.last = Time::fs(100);
  options.to = Time::fs(350);
  expect_span(record(options), 250, 350);
  options.from = Time::fs(300);
  expect_span(record(options), 300, 350);
  options.from.reset();
  options.on = "stall";
  expect_span(record(options, {{"stall", 260}}), 260, 350);
  expect_span(record(options, {{"stall", 204}}), 250, 350);
}

TEST_F(Window, TheLimitEndsTheDumpAfterAWholeInstant) {
  const Recorded whole = record({}, {}, 4000);
  for (std::uint64_t limit = 1000; limit < whole.text.size() + 200; limit += 777) {
    SCOPED_TRACE("limit " + std::to_string(limit));
    WaveformOptions options;
    options.limit_bytes = limit;
    ::testing::internal::CaptureStderr();
    const Recorded recorded = record(options, {}, 4000);
    const std::string warning = ::testing::internal::GetCapturedStderr();
    expect_span(recorded, 0, recorded.dump.end);
    EXPECT_LE(recorded.text.size(), limit);
    if (limit < whole.text.size()) {
      EXPECT_EQ(recorded.text, whole.text.substr(0, recorded.text.size()));
      // What is missing is less than two instants.
      EXPECT_GT(recorded.text.size() + 400, limit);
      EXPECT_TRUE(recorded.summary.limit_reached);
      EXPECT_EQ(warning.find("fredsim: warning: "), 0u);
      EXPECT_EQ(warning.find('\n'), warning.size() - 1) << "said once: " << warning;
    } else if (limit > whole.text.size() + 30) {
      EXPECT_EQ(recorded.text, whole.text);
      EXPECT_FALSE(recorded.summary.limit_reached);
      EXPECT_EQ(warning, "");
    }
  }
}

TEST_F(Window, OfALastStretchTheLimitKeepsTheNewest) {
  WaveformOptions options;
  options.last = Time::fs(150);
  const Recorded whole = record(options, {}, 4000);
  options.limit_bytes = whole.text.size() / 2;
  const Recorded recorded = record(options, {}, 4000);
  expect_span(recorded, recorded.dump.begin, end_fs);
  EXPECT_GT(recorded.dump.begin, end_fs - 150);
  EXPECT_LE(recorded.text.size(), *options.limit_bytes);
  EXPECT_GT(recorded.text.size(), *options.limit_bytes / 2);
  EXPECT_TRUE(recorded.summary.limit_reached);
}

TEST_F(Window, NothingRecordedIsSaidAndLeavesNoFile) {
  WaveformOptions options;
  options.on = "op:dp9";
  Recorded recorded = record(options, {{"op:dp0", 200}, {"op:mp1", 210}});
  EXPECT_FALSE(recorded.summary.written);
  EXPECT_NE(recorded.summary.problem.find("'op:dp9' did not happen; did you mean 'op:dp0'?"),
            std::string::npos)
      << recorded.summary.problem;
  EXPECT_TRUE(folder_.files().empty());

  options = {};
  options.from = Time::fs(end_fs + 1);
  recorded = record(options);
  EXPECT_FALSE(recorded.summary.written);
  EXPECT_NE(recorded.summary.problem.find("the window opens at 401 fs, the simulation ended at 400 fs"),
            std::string::npos)
      << recorded.summary.problem;
  EXPECT_TRUE(folder_.files().empty());
}

TEST_F(Window, AWaveformWithoutAChangeIsSaid) {
  const Recorded recorded = record({}, {}, 0);
  EXPECT_TRUE(recorded.summary.written);
  EXPECT_NE(recorded.summary.problem.find("no recorded signal changes"), std::string::npos);
  expect_span(recorded, 0, end_fs);
}

TEST_F(Window, StatisticsAreTheSameWhateverIsRecorded) {
  record({});
  const double mean = simulation_->probes[1].statistics(Time::fs(end_fs)).mean;
  WaveformOptions options;
  options.to = Time::fs(20);
  record(options);
  EXPECT_EQ(simulation_->probes[1].statistics(Time::fs(end_fs)).mean, mean);
  options = {};
  options.globs = {"npu0.*"};
  record(options);
  EXPECT_EQ(simulation_->probes[1].statistics(Time::fs(end_fs)).mean, mean);
}

}  // namespace
}  // namespace fredsim::hw::test
