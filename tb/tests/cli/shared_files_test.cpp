// An output over an input or over another output is refused, however its path is written.
#include <gtest/gtest.h>

#include <filesystem>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

using Arguments = std::vector<std::string>;

/// Copies of a configuration and a trace to lose.
struct Inputs {
  Inputs() {
    std::filesystem::copy_file(single_switch(), folder / "c.yaml");
    std::filesystem::copy_file(sample("barrier_8npus"), folder / "t.jsonl");
  }
  Folder folder;
};

void expect_refused(const Arguments& arguments, const std::string& message) {
  const Inputs inputs;
  const Outcome outcome = fredsim(arguments, inputs.folder.path());
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
  EXPECT_NE(outcome.error.find(message), std::string::npos) << outcome.error;
  EXPECT_EQ(read_file(inputs.folder / "c.yaml"), read_file(single_switch()));
  EXPECT_EQ(read_file(inputs.folder / "t.jsonl"), read_file(sample("barrier_8npus")));
}

void expect_accepted(const Arguments& arguments) {
  const Inputs inputs;
  const Outcome outcome = fredsim(arguments, inputs.folder.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
}

TEST(SharedFiles, ByEveryCommandAreRefused) {
  expect_refused({"run", "c.yaml", "--trace", "t.jsonl", "--json", "./t.jsonl"},
                 "--json ./t.jsonl: is also the trace");
  expect_refused({"run", "c.yaml", "--trace", "t.jsonl", "--json", "c.yaml"}, "is also the configuration");
  expect_refused({"describe", "c.yaml", "--json", "c.yaml"}, "--json c.yaml: is also the configuration");
  expect_refused({"trace", "info", "t.jsonl", "--json", "t.jsonl"}, "--json t.jsonl: is also the trace");
}

TEST(SharedFiles, ThatAreNotThereYetAreRefused) {
  expect_refused({"run", "c.yaml", "--trace", "t.jsonl", "--vcd", "./w.vcd", "--json", "w.vcd"},
                 "--json w.vcd: is also the file of --vcd");
  expect_refused({"route", "--ports", "4", "--middle", "2", "--flow", "0>1", "--json", "a", "--dot", "./a"},
                 "--dot ./a: is also the file of --json");
}

TEST(SharedFiles, OfAChakraTraceAreRefused) {
  const Folder folder;
  write_file(folder / "x.0.et", "first");
  write_file(folder / "x.1.et", "second");
  const Outcome outcome = fredsim({"trace", "import", "x", "-o", "./x.1.et"}, folder.path());
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find("-o ./x.1.et: is also a file of the trace"), std::string::npos)
      << outcome.error;
  EXPECT_EQ(read_file(folder / "x.1.et"), "second");
}

TEST(SharedFiles, AreAcceptedWhereNothingIsLost) {
  expect_accepted({"route", "--ports", "4", "--middle", "2", "--flow", "0>1", "--json", "/dev/null", "--dot",
                   "/dev/null"});
  expect_accepted({"run", "c.yaml", "--trace", "t.jsonl", "--vcd", "w.vcd", "--json", "w.json"});
}

TEST(SharedFiles, ThatCannotBeLookedAtAreNotTakenForOneAnother) {
  const Outcome outcome = fredsim({"run", single_switch(), "--trace", sample("barrier_8npus"), "--vcd",
                                   std::string(5000, 'x') + "/w.vcd"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.error.find("is also"), std::string::npos) << outcome.error;
}

}  // namespace
}  // namespace fredsim::tb::test
