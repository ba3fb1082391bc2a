// The traces in traces/samples: all can run on eight NPUs, and together they show every type.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include "tb/cli/command.h"
#include "tb/tests/traces/chakra_writer.h"
#include "tb/tests/traces/trace_text.h"
#include "traces/chakra/import.h"

namespace fredsim::trace::testing {
namespace {

const std::filesystem::path samples = std::filesystem::path(PROJECT_SOURCE_DIR) / "traces/samples";

TEST(Samples, CanRunOnEightNpusAndShowEveryType) {
  std::set<hw::OperationType> types;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(samples)) {
    if (entry.path().extension() != ".jsonl") continue;
    SCOPED_TRACE(entry.path());
    const ReadResult result = read(entry.path().string(), 8);
    EXPECT_EQ(text_of(result.problems), "");
    EXPECT_EQ(result.workload.npus, 8u);
    for (const hw::Operation& operation : result.workload.operations) types.insert(operation.type);
    ++files;
  }
  EXPECT_GE(files, 10u);
  // One switch has no I/O controllers, so no sample loads or stores.
  for (const std::string& name : hw::operation_type_names()) {
    const auto type = *hw::parse_operation_type(name);
    const bool io = type == hw::OperationType::load || type == hw::OperationType::store;
    EXPECT_EQ(types.count(type), io ? 0u : 1u) << name;
  }
}

/// The commands in the table of docs/03-workload-traces.md, by sample.
std::map<std::string, std::vector<std::string>> documented_commands() {
  std::map<std::string, std::vector<std::string>> commands;
  std::ifstream docs(std::filesystem::path(PROJECT_SOURCE_DIR) / "docs/03-workload-traces.md");
  const std::regex row("\\| `(\\w+\\.jsonl)` \\|.*\\| `([^`]+)` \\|"), word("\"([^\"]*)\"|(\\S+)");
  std::smatch match;
  for (std::string line; std::getline(docs, line);) {
    if (!std::regex_match(line, match, row)) continue;
    std::vector<std::string>& command = commands[match[1]];
    const std::string text = match[2];
    for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end; ++i) {
      command.push_back((*i)[1].matched ? (*i)[1].str() : (*i)[2].str());
    }
  }
  return commands;
}

TEST(Samples, AreWhatTheDocumentedCommandsMake) {
  const Folder folder;
  const auto commands = documented_commands();
  EXPECT_EQ(commands.size(), 12u);
  for (const auto& [sample, pattern] : commands) {
    SCOPED_TRACE(sample);
    std::vector<std::string> arguments = {"trace", "generate"};
    arguments.insert(arguments.end(), pattern.begin(), pattern.end());
    arguments.insert(arguments.end(), {"-o", folder / sample});
    std::reverse(arguments.begin(), arguments.end());
    CLI::App app;
    int exit_code = 0;
    tb::add_trace_command(app, exit_code);
    app.parse(arguments);
    EXPECT_EQ(tb::test::read_file(folder / sample), tb::test::read_file((samples / sample).string()));
  }
}

TEST(Samples, TheChakraExampleImports) {
  const hw::Workload workload =
      import_chakra((std::filesystem::path(PROJECT_SOURCE_DIR) / "traces/chakra/example/step").string());
  EXPECT_EQ(workload.npus, 4u);
  EXPECT_EQ(workload.operations.size(), 13u);
}

TEST(Samples, TheAllReduceOfTheReadme) {
  const hw::Workload workload = read_checked((samples / "all_reduce_8npus_64MiB.jsonl").string());
  ASSERT_EQ(workload.operations.size(), 1u);
  const hw::Operation& operation = workload.operations[0];
  EXPECT_EQ(operation.type, hw::OperationType::all_reduce);
  EXPECT_EQ(operation.npus.size(), 8u);
  EXPECT_EQ(operation.bytes, std::uint64_t{64} << 20);
  EXPECT_EQ(operation.dtype, hw::DType::fp16);
}

}  // namespace
}  // namespace fredsim::trace::testing
