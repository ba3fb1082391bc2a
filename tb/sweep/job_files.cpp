#include "tb/sweep/job_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "hw/core/error.h"
#include "tb/configuration/value_text.h"
#include "tb/sweep/engine.h"

namespace fredsim::tb {

namespace fs = std::filesystem;

JobFiles::JobFiles(const std::string& folder)
    : folder_((fs::absolute(folder) / "jobs").lexically_normal().string()) {}

std::string JobFiles::file(const Point& point, const char* what) const {
  return fmt::format("{}/{}.{}", folder_, point.key, what);
}

std::string JobFiles::command(const std::string& program, const Point& point) const {
  std::string run = shell_word(program);
  for (const std::string& argument : point.arguments) run += " " + shell_word(argument);
  // The exit code comes last and whole: a file that is there says that the others are complete.
  return fmt::format(
      "cd {0} && mkdir -p {1} && {{ {2} --json {3} >/dev/null 2>{4}; echo $? >{5}.new; mv {5}.new {5}; }}",
      shell_word(fs::current_path().string()), shell_word(folder_), run, shell_word(file(point, "json")),
      shell_word(file(point, "err")), shell_word(file(point, "exit")));
}

std::optional<RunOutcome> JobFiles::outcome(const Point& point) const {
  std::string code = file_text(file(point, "exit"), 16);
  code.erase(code.find_last_not_of('\n') + 1);
  if (code.empty()) return std::nullopt;
  RunOutcome outcome;
  outcome.result = file_text(file(point, "json"), most_result_bytes);
  outcome.error = file_text(file(point, "err"), most_message_bytes);
  const int exit_code = static_cast<int>(parse_integer(code) & 0xff);
  // A shell gives 128 and the signal for a process that one ended.
  if (exit_code > 128) {
    outcome.error += fmt::format("ended by signal {}", exit_code - 128);
  } else {
    outcome.exit_code = exit_code;
  }
  return outcome;
}

void JobFiles::remove(const Point& point) const {
  std::error_code ignored;
  for (const char* what : {"exit", "json", "err"}) fs::remove(file(point, what), ignored);
}

void JobFiles::make() const {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw hw::InputError(fmt::format("{}: cannot be made: {}", folder_, error.message()));
}

}  // namespace fredsim::tb
