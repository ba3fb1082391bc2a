// Standard output that is full or closed.
#include <gtest/gtest.h>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

/// `fredsim` with its arguments, redirected by the shell.
Outcome redirected(const std::vector<std::string>& arguments, const std::string& redirection) {
  std::vector<std::string> shell = {"-c", "\"$@\" " + redirection, "sh", program_path()};
  shell.insert(shell.end(), arguments.begin(), arguments.end());
  return run_program("/bin/sh", shell);
}

TEST(StandardOutput, ThatIsFullIsNoSuccess) {
  const std::string trace = sample("barrier_8npus");
  const std::vector<std::vector<std::string>> commands = {
      {"describe"},
      {"--help"},
      {"run", single_switch(), "--trace", trace},
      {"run", single_switch(), "--trace", trace, "--json", "-"},
      {"route", "--ports", "4", "--middle", "2", "--flow", "0>1"},
      {"trace", "check", trace},
      {"trace", "info", trace}};
  for (const auto& command : commands) {
    SCOPED_TRACE(command.front());
    const Outcome outcome = redirected(command, ">/dev/full");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.error.find("cannot be written"), std::string::npos) << outcome.error;
  }
}

TEST(StandardOutput, ThatIsClosedDoesNotEndInAFile) {
  const Folder folder;
  const std::vector<std::string> run = {"run", single_switch(), "--trace", sample("barrier_8npus"), "--vcd",
                                        ""};
  std::vector<std::string> open = run, closed = run;
  open.back() = folder / "open.vcd";
  closed.back() = folder / "closed.vcd";
  EXPECT_EQ(redirected(open, "").exit_code, 0);
  EXPECT_EQ(redirected(closed, "<&- >&- 2>&-").exit_code, 0);
  EXPECT_EQ(read_file(folder / "closed.vcd"), read_file(folder / "open.vcd"));
}

}  // namespace
}  // namespace fredsim::tb::test
