#include "hw/observe/fst.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>

#include "hw/core/error.h"
#include "tb/tests/observe/recording.h"
#include "tb/tests/observe/vcd_reader.h"

namespace fredsim::hw::test {
namespace {

class Fst : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!vcd2fst_installed())
      GTEST_SKIP() << "vcd2fst and fst2vcd (Debian package gtkwave) are not installed";
  }

  WaveformSummary record(const std::string& name) {
    simulation_ = std::make_unique<Simulation>();
    std::mt19937_64 random(5);
    simulation_->recorder.record({folder_ / name});
    add_one_of_each(*simulation_);
    simulation_->recorder.start();
    simulation_->play(random, 500, 300);
    return simulation_->recorder.finish(Time::fs(300));
  }

  /// The dump that fst2vcd makes of `name`; it must have nothing to say.
  VcdDump read_back(const std::string& name) {
    const std::string command = "fst2vcd '" + (folder_ / name) + "' > '" + (folder_ / "back.vcd") + "' 2> '" +
                                (folder_ / "said") + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(read_file(folder_ / "said"), "");
    return parse_vcd(read_file(folder_ / "back.vcd"));
  }

  Folder folder_;
  std::unique_ptr<Simulation> simulation_;
};

TEST_F(Fst, HoldsTheSameValues) {
  const WaveformSummary summary = record("w.fst");
  EXPECT_TRUE(summary.written);
  EXPECT_EQ(summary.problem, "");
  EXPECT_EQ(folder_.files(), (std::vector<std::string>{"w.fst", "w.gtkw"}));
  EXPECT_NE(read_file(folder_ / "w.gtkw").find("[dumpfile] \"w.fst\""), std::string::npos);
  const VcdDump dump = read_back("w.fst");
  EXPECT_EQ(dump.timescale, "1fs");
  EXPECT_EQ(dump.end, 300);
  EXPECT_EQ(dump.variables.size(), simulation_->probes.size());
  for (std::size_t probe = 0; probe < simulation_->probes.size(); ++probe) {
    const std::vector<std::string> expected = simulation_->expected(probe, 300);
    const VcdVariable& variable = dump.variables.at(simulation_->probes[probe].info().path);
    for (std::int64_t t = 0; t <= 300; ++t) ASSERT_EQ(variable.at(t), expected[static_cast<std::size_t>(t)]);
  }
}

TEST_F(Fst, OurDumpsSurviveTheToolsAsTheyAre) {
  record("w.vcd");
  EXPECT_EQ(vcd_to_fst(folder_ / "w.vcd", folder_ / "converted.fst"), "");
  const VcdDump ours = parse_vcd(read_file(folder_ / "w.vcd"));
  const VcdDump back = read_back("converted.fst");
  EXPECT_EQ(ours.changes, back.changes);
  for (const auto& [path, variable] : ours.variables)
    EXPECT_EQ(variable.changes, back.variables.at(path).changes);
}

TEST_F(Fst, EqualSimulationsGiveEqualBytes) {
  record("w.fst");
  const std::string first = read_file(folder_ / "w.fst");
  record("w.fst");
  EXPECT_EQ(read_file(folder_ / "w.fst"), first);
}

TEST_F(Fst, AFailedConversionIsSaidAndLeavesTheDump) {
  EXPECT_NE(vcd_to_fst(folder_ / "none.vcd", folder_ / "none.fst"), "");
}

TEST(FstWithoutTheTool, IsRefusedBeforeTheRun) {
  const std::string path = std::getenv("PATH");
  const Folder folder;
  setenv("PATH", (folder / "").c_str(), 1);
  EXPECT_FALSE(vcd2fst_installed());
  Simulation simulation;
  EXPECT_THROW(simulation.recorder.record({folder / "w.fst"}), InputError);
  EXPECT_TRUE(folder.files().empty());
  setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace fredsim::hw::test
