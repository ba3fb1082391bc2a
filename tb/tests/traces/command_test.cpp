// `fredsim trace` as a user calls it.
#include "tb/cli/command.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "hw/core/error.h"
#include "tb/cli/trace_command.h"
#include "tb/tests/traces/chakra_writer.h"
#include "tb/tests/traces/trace_text.h"
#include "tb/tests/traces/workloads_equal.h"

namespace fredsim::tb {

// The program reads the configuration here; these tests are about traces.
ConfiguredSystem configured_system(const std::string& path) {
  if (path != "four.yaml") throw hw::InputError(path + ": no such file");
  return {4, [](const hw::Workload&) {}};
}

}  // namespace fredsim::tb

namespace fredsim::trace::testing {
namespace {

struct Outcome {
  int exit_code = 0;
  std::string out;
  std::string error;  ///< of bad input, which the program prints before it exits with 2
};

Outcome fredsim(const std::vector<std::string>& arguments) {
  CLI::App app;
  Outcome outcome;
  tb::add_trace_command(app, outcome.exit_code);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  ::testing::internal::CaptureStdout();
  try {
    app.parse(reversed);
  } catch (const hw::InputError& error) {
    outcome = {2, "", error.what()};
  } catch (const CLI::Error& error) {
    outcome = {2, "", error.what()};
  }
  std::fflush(stdout);
  outcome.out = ::testing::internal::GetCapturedStdout();
  return outcome;
}

class TraceCommand : public ::testing::Test {
 protected:
  std::string file(const std::string& text) {
    write_file(folder_ / "t.jsonl", text);
    return folder_ / "t.jsonl";
  }
  Folder folder_;
};

const char* const header = "{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":8,\"name\":\"n\"}\n";

TEST_F(TraceCommand, CheckSaysThatATraceCanRun) {
  const std::string path = file(std::string(header) + R"({"id":"a","type":"barrier","npus":[0]})");
  const Outcome outcome = fredsim({"trace", "check", path});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, path + ": can run: 1 operation on 8 NPUs\n");
}

TEST_F(TraceCommand, CheckPrintsEveryReason) {
  std::string text = header;
  for (int i = 0; i < 20; ++i)
    text += R"({"id":"a","type":"barrier","npus":[0,9]})"
            "\n";
  const Outcome outcome = fredsim({"trace", "check", file(text)});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 21);
  EXPECT_NE(outcome.out.find("t.jsonl:2: operation \"a\": NPU 9 is outside"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("cannot run, for 20 reasons"), std::string::npos) << outcome.out;
}

TEST_F(TraceCommand, CheckHoldsTheTraceAgainstASystem) {
  const std::string path = file(std::string(header) + R"({"id":"a","type":"barrier","npus":[0]})");
  const Outcome outcome = fredsim({"trace", "check", path, "--config", "four.yaml"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.out.find("the trace is for 8 NPUs, the system has 4"), std::string::npos) << outcome.out;
  EXPECT_EQ(fredsim({"trace", "check", path, "--config", "none.yaml"}).error, "none.yaml: no such file");
}

TEST_F(TraceCommand, CheckOfNothing) {
  EXPECT_NE(fredsim({"trace", "check", folder_ / "none"}).error.find("no such trace file"),
            std::string::npos);
  EXPECT_EQ(fredsim({"trace", "check"}).exit_code, 2);
  EXPECT_EQ(fredsim({"trace", "check", "x", "--config"}).exit_code, 2);
  EXPECT_EQ(fredsim({"trace"}).exit_code, 2);
}

TEST_F(TraceCommand, InfoPrintsAndWritesFigures) {
  const std::string path = folder_ / "g.jsonl", json = folder_ / "g.json";
  ASSERT_EQ(fredsim({"trace", "generate", "groups", "--mp", "2", "--dp", "4", "--mp-bytes", "1 KiB",
                     "--dp-bytes", "2 KiB", "--count", "3", "-o", path})
                .error,
            "");
  const Outcome outcome = fredsim({"trace", "info", path, "--json", json});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("18 operations on 8 NPUs, depth 3"), std::string::npos) << outcome.out;
  const auto figures = nlohmann::json::parse(std::ifstream(json));
  EXPECT_EQ(figures["operations"], 18);
  EXPECT_EQ(figures["depth"], 3);
  EXPECT_EQ(figures["by_type"]["all_reduce"]["bytes"], 3 * (4 * 1024 + 2 * 2048));
  EXPECT_EQ(figures["by_class"]["mp"]["operations"], 12);
  EXPECT_EQ(figures["by_class"]["pp"]["operations"], 0);
  EXPECT_EQ(figures["groups"].size(), 6u);
  EXPECT_EQ(figures["groups"][0]["npus"], nlohmann::json({0, 1}));
  EXPECT_EQ(figures["groups"][0]["operations"], 3);
  EXPECT_EQ(fredsim({"trace", "info", path, "--json", "/nonexistent/x.json"}).exit_code, 2);
}

TEST_F(TraceCommand, ImportWritesATrace) {
  for (int r = 0; r < 2; ++r)
    write_file(folder_ / ("c." + std::to_string(r) + ".et"), file_of({collective(1, 0, 64)}));
  const Outcome outcome = fredsim({"trace", "import", folder_ / "c", "-o", folder_ / "c.jsonl"});
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.out, folder_ / "c.jsonl" + ": 1 operation on 2 NPUs\n");
  EXPECT_EQ(fredsim({"trace", "check", folder_ / "c.jsonl"}).exit_code, 0);
  EXPECT_EQ(fredsim({"trace", "check", folder_ / "c"}).exit_code, 0);
  EXPECT_NE(fredsim({"trace", "check", folder_ / "c.0.et"}).error.find("give the prefix"), std::string::npos);
  EXPECT_EQ(fredsim({"trace", "import", folder_ / "d", "-o", folder_ / "d.jsonl"}).exit_code, 2);
}

TEST_F(TraceCommand, ImportWritesToStandardOutput) {
  write_file(folder_ / "c.0.et", file_of({collective(1, 0, 64)}));
  write_file(folder_ / "c.1.et", file_of({collective(1, 0, 64)}));
  EXPECT_EQ(fredsim({"trace", "import", folder_ / "c", "-o", folder_ / "c.jsonl"}).error, "");
  EXPECT_EQ(fredsim({"trace", "import", folder_ / "c", "-o", "-"}).out,
            tb::test::read_file(folder_ / "c.jsonl"));
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_F(TraceCommand, GenerateMakesEveryPattern) {
  const std::string path = folder_ / "g.jsonl";
  const std::vector<std::vector<std::string>> commands = {
      {"all_reduce", "--npus", "8", "--bytes", "64 MiB", "--dtype", "fp16"},
      {"all_reduce", "--npus", "8", "--bytes", "1 B", "--bytes", "7 B", "--group", "0,2", "--group", "1,5",
       "--op", "max", "--class", "mp", "--chain", "--count", "2"},
      {"reduce_scatter", "--npus", "3", "--bytes", "0 B"},
      {"all_gather", "--npus", "3", "--bytes", "1 KB"},
      {"reduce", "--npus", "3", "--bytes", "1 KB", "--root", "2"},
      {"broadcast", "--npus", "3", "--bytes", "1 KB"},
      {"scatter", "--npus", "3", "--bytes", "1 KB"},
      {"gather", "--npus", "3", "--bytes", "1 KB"},
      {"all_to_all", "--npus", "3", "--bytes", "1 KB"},
      {"barrier", "--npus", "3"},
      {"pipeline", "--stages", "4", "--microbatches", "2", "--bytes", "1 MiB", "--compute", "2 us",
       "--backward"},
      {"random", "--seed", "7", "--npus", "5", "--operations", "30", "--max-bytes", "1 MiB", "--io", "--name",
       "x"}};
  for (std::vector<std::string> arguments : commands) {
    SCOPED_TRACE(arguments[0]);
    arguments.insert(arguments.begin(), {"trace", "generate"});
    arguments.insert(arguments.end(), {"-o", path});
    EXPECT_EQ(fredsim(arguments).error, "");
    EXPECT_EQ(fredsim({"trace", "check", path}).exit_code, 0);
  }
}

TEST_F(TraceCommand, GenerateRefusesWhatItCannotMake) {
  const std::string path = folder_ / "g.jsonl";
  const std::vector<std::pair<std::vector<std::string>, std::string>> commands = {
      {{"all_reduce", "--npus", "8"}, "--bytes"},
      {{"all_reduce", "--bytes", "1 B"}, "--npus"},
      {{"all_reduce", "--npus", "8", "--bytes", "64"}, "--bytes"},
      {{"all_reduce", "--npus", "-1", "--bytes", "1 B"}, "--npus"},
      {{"all_reduce", "--npus", "2.9", "--bytes", "1 B"}, "--npus"},
      {{"all_reduce", "--npus", "8", "--bytes", "1 B", "--group", "0,9"}, "NPU 9"},
      {{"all_reduce", "--npus", "8", "--bytes", "1 B", "--group", "0,,1"}, "--group"},
      {{"all_reduce", "--npus", "8", "--bytes", "1 B", "--group", "0-3"}, "--group"},
      {{"all_reduce", "--npus", "8", "--bytes", "1 B", "--dtype", "fp61"}, "fp16"},
      {{"all_reduce", "--npus", "8", "--bytes", "1 B", "--class", "xx"}, "mp"},
      {{"reduce", "--npus", "8", "--bytes", "1 B", "--root", "8"}, "root"},
      {{"all_gather", "--npus", "8", "--bytes", "1 B", "--op", "max"}, "--op"},
      {{"barrier", "--npus", "8", "--bytes", "1 B"}, "--bytes"},
      {{"groups", "--mp", "2"}, "no operations"},
      {{"pipeline", "--bytes", "1 B", "--compute", "5"}, "--compute"},
      {{"random", "--npus", "0"}, "npus"},
      {{"alreduce", "--npus", "8"}, ""}};
  for (const auto& [pattern, word] : commands) {
    std::vector<std::string> arguments = pattern;
    arguments.insert(arguments.begin(), {"trace", "generate"});
    arguments.insert(arguments.end(), {"-o", path});
    const Outcome outcome = fredsim(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << pattern[0];
    EXPECT_NE(outcome.error.find(word), std::string::npos) << word << " in: " << outcome.error;
    EXPECT_FALSE(std::filesystem::exists(path)) << pattern[0];
  }
}

}  // namespace
}  // namespace fredsim::trace::testing
