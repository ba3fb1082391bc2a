#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "hw/core/error.h"
#include "tb/tests/observe/recording.h"

namespace fredsim::hw::test {
namespace {

class RecordErrors : public ::testing::Test {
 protected:
  RecordErrors() {
    options_.path = folder_ / "w.vcd";
    add_one_of_each(simulation_);
  }

  /// The message of the InputError that record() and start() end with, or an empty text.
  std::string message() {
    try {
      simulation_.recorder.record(options_);
      simulation_.recorder.start();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  void expect_message(const std::string& part) {
    const std::string said = message();
    EXPECT_NE(said.find(part), std::string::npos) << "said: " << said;
  }

  Folder folder_;
  WaveformOptions options_;
  Simulation simulation_;
};

TEST_F(RecordErrors, None) {
  EXPECT_EQ(message(), "");
}

TEST_F(RecordErrors, UnknownEnding) {
  options_.path = folder_ / "w.txt";
  expect_message("ends in .vcd or .fst");
}

TEST_F(RecordErrors, NoSuchFolder) {
  options_.path = folder_ / "none/w.vcd";
  expect_message("none/w.vcd: cannot be written: No such file or directory");
}

TEST_F(RecordErrors, ANameThatALayoutCannotRepeat) {
  options_.path = folder_ / "a\"b.vcd";
  expect_message("no quotes");
}

TEST_F(RecordErrors, EmptyWindow) {
  options_.from = options_.to = Time::fs(5);
  expect_message("must have a length");
}

TEST_F(RecordErrors, EmptyStretch) {
  options_.last = Time();
  expect_message("must have a length");
}

TEST_F(RecordErrors, AGlobThatSelectsNothing) {
  options_.globs = {"switch.*", "fabric.*"};
  expect_message("'fabric.*' selects no signal to record; there are 4, for instance switch.in3.vc_dp.packet");
}

TEST_F(RecordErrors, AGlobWithATypingError) {
  options_.globs = {"switch.in3.vc_dp.ocupancy"};
  expect_message("did you mean 'switch.in3.vc_dp.occupancy'?");
}

TEST_F(RecordErrors, AScopeInsteadOfAGlob) {
  options_.globs = {"switch.in3"};
  expect_message("say 'switch.in3.*'");
}

TEST_F(RecordErrors, ALimitBelowTheHeader) {
  options_.limit_bytes = 100;
  expect_message("a limit of 100 B is too small");
}

TEST_F(RecordErrors, NoProbes) {
  Simulation empty;
  empty.recorder.record(options_);
  EXPECT_THROW(empty.recorder.start(), InputError);
}

// A file that is there looks like a waveform.
TEST_F(RecordErrors, AnUnusableSelectionLeavesNoFile) {
  {
    Simulation simulation;
    options_.globs = {"none"};
    simulation.recorder.record(options_);
    EXPECT_THROW(simulation.recorder.start(), InputError);
  }
  EXPECT_TRUE(folder_.files().empty());
  {
    Simulation simulation;
    options_.globs.clear();
    options_.limit_bytes = 10;
    simulation.recorder.record(options_);
    add_one_of_each(simulation);
    EXPECT_THROW(simulation.recorder.start(), InputError);
  }
  EXPECT_TRUE(folder_.files().empty());
}

TEST_F(RecordErrors, WrongOrderOfCallsIsAContradiction) {
  simulation_.recorder.record(options_);
  EXPECT_THROW(simulation_.recorder.record(options_), InternalError);
  EXPECT_THROW(simulation_.recorder.finish(Time::fs(1)), InternalError);
  simulation_.recorder.start();
  EXPECT_THROW(simulation_.recorder.start(), InternalError);
  EXPECT_THROW(Probe(simulation_.recorder, {"late.x", "", "", ProbeKind::flag}), InternalError);
}

TEST_F(RecordErrors, AFullDiskEndsTheWaveformNotTheSimulation) {
  if (std::FILE* full = std::fopen("/dev/full", "w"); full == nullptr) {
    GTEST_SKIP() << "there is no /dev/full to play a full disk";
  } else {
    std::fclose(full);
  }
  ASSERT_EQ(symlink("/dev/full", options_.path.c_str()), 0);
  ASSERT_EQ(message(), "");
  simulation_.change(1, 5, 1);
  const WaveformSummary summary = simulation_.recorder.finish(Time::fs(10));
  EXPECT_NE(summary.problem.find("No space left on device"), std::string::npos) << summary.problem;
  EXPECT_EQ(simulation_.probes[1].statistics(Time::fs(10)).value, 4);
}

}  // namespace
}  // namespace fredsim::hw::test
