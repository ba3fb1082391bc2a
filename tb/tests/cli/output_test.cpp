// What the program prints and writes when all is well.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

TEST(Output, EveryCommandHasHelp) {
  const std::vector<std::vector<std::string>> commands = {{},
                                                          {"run"},
                                                          {"describe"},
                                                          {"traffic"},
                                                          {"route"},
                                                          {"trace"},
                                                          {"trace", "check"},
                                                          {"trace", "info"},
                                                          {"trace", "import"},
                                                          {"trace", "generate"},
                                                          {"trace", "generate", "all_reduce"}};
  for (std::vector<std::string> arguments : commands) {
    arguments.emplace_back("--help");
    const Outcome outcome = fredsim(arguments);
    SCOPED_TRACE(arguments.front());
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.error, "");
    EXPECT_NE(outcome.out.find("Usage"), std::string::npos) << outcome.out;
  }
}

TEST(Output, VersionIsOneLine) {
  const Outcome outcome = fredsim({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out.rfind("fredsim ", 0), 0u);
  EXPECT_EQ(outcome.out.find('\n'), outcome.out.size() - 1);
}

TEST(Output, TraceToStandardOutputIsAllThatIsPrinted) {
  const Folder folder;
  const std::vector<std::string> generate = {"trace", "generate", "all_reduce", "--npus",
                                             "4",     "--bytes",  "1 KiB",      "-o"};
  std::vector<std::string> to_file = generate, to_output = generate;
  to_file.push_back("g.jsonl");
  to_output.push_back("-");
  const Outcome written = fredsim(to_file, folder.path());
  EXPECT_EQ(written.out, "g.jsonl: 1 operation on 4 NPUs\n");
  const Outcome piped = fredsim(to_output, folder.path());
  EXPECT_EQ(piped.exit_code, 0);
  EXPECT_EQ(piped.out, read_file(folder / "g.jsonl"));
  EXPECT_EQ(piped.error, "standard output: 1 operation on 4 NPUs\n");
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"g.jsonl"}));
}

TEST(Output, DescriptionAsJsonToStandardOutputIsAllThatIsPrinted) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"describe", "--json", "-"}, {"describe", single_switch(), "--json", "-"}}) {
    const Outcome outcome = fredsim(arguments);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_TRUE(nlohmann::json::accept(outcome.out)) << outcome.out;
    EXPECT_EQ(outcome.error, "");
  }
}

TEST(Output, JsonToStandardOutputIsAllThatIsPrinted) {
  const Folder folder;
  const Outcome outcome = fredsim({"run", single_switch(), "--trace", sample("odd_sizes_8npus"), "--json",
                                   "-", "--vcd", folder / "w.vcd"});
  EXPECT_EQ(outcome.exit_code, 0);
  const auto result = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(result["status"], "ok");
}

TEST(Output, FileAndStandardOutputAreEqual) {
  const Folder folder;
  const std::vector<std::string> run = {"run", single_switch(), "--trace", sample("odd_sizes_8npus"),
                                        "--json"};
  std::vector<std::string> to_file = run, to_output = run;
  to_file.push_back(folder / "r.json");
  to_output.emplace_back("-");
  EXPECT_EQ(fredsim(to_file).exit_code, 0);
  auto in_file = nlohmann::json::parse(read_file(folder / "r.json"));
  auto printed = nlohmann::json::parse(fredsim(to_output).out);
  in_file.erase("performance");
  printed.erase("performance");
  EXPECT_EQ(in_file, printed);
}

TEST(Output, ReplacesAnOlderResultWhole) {
  const Folder folder;
  write_file(folder / "r.json", std::string(1000000, 'x'));
  EXPECT_EQ(
      fredsim({"run", single_switch(), "--trace", sample("odd_sizes_8npus"), "--json", folder / "r.json"})
          .exit_code,
      0);
  EXPECT_EQ(nlohmann::json::parse(read_file(folder / "r.json"))["status"], "ok");
}

TEST(Output, WritesToWhatIsNoFile) {
  const Outcome outcome =
      fredsim({"run", single_switch(), "--trace", sample("odd_sizes_8npus"), "--json", "/dev/null"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_TRUE(std::filesystem::exists("/dev/null"));
}

TEST(Output, AFullDiskIsSaid) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const Outcome outcome =
      fredsim({"run", single_switch(), "--trace", sample("odd_sizes_8npus"), "--json", "/dev/full"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find("/dev/full"), std::string::npos) << outcome.error;
}

TEST(Output, SetChangesTheRunAndIsInTheResult) {
  const Outcome outcome =
      fredsim({"run", single_switch(), "--trace", sample("odd_sizes_8npus"), "--json", "-", "--set",
               "buffer.dp=8 KiB", "--set", "switch.middle=2", "--seed", "77"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const auto result = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(result["seed"], 77);
  EXPECT_EQ(result["config"]["buffer.l1.down.dp"], "8 KiB");
  EXPECT_EQ(result["config"]["switch.middle"], 2);
}

TEST(Output, WithoutDataNothingIsVerified) {
  const Outcome with =
      fredsim({"run", single_switch(), "--trace", sample("three_classes_8npus"), "--json", "-"});
  const Outcome without =
      fredsim({"run", single_switch(), "--trace", sample("three_classes_8npus"), "--json", "-", "--no-data"});
  ASSERT_EQ(without.exit_code, 0);
  auto a = nlohmann::json::parse(with.out), b = nlohmann::json::parse(without.out);
  EXPECT_GT(a["verified_elements"], 0);
  EXPECT_EQ(b["verified_elements"], 0);
  for (auto* result : {&a, &b}) {
    result->erase("performance");
    result->erase("verified_elements");
    result->erase("command");
  }
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace fredsim::tb::test
