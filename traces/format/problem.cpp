#include "traces/format/problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"

namespace fredsim::trace {

std::string to_string(const Problem& problem) {
  std::string text = problem.file;
  if (problem.line != 0) text += fmt::format(":{}", problem.line);
  text += ": ";
  if (!problem.operation.empty()) text += fmt::format("operation \"{}\": ", problem.operation);
  text += problem.reason;
  // What the file says is quoted; it must not steer the terminal.
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

void refuse(const std::vector<Problem>& problems) {
  if (problems.empty()) return;
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, problems.size()); ++i) {
    text += (i == 0 ? "" : "\n") + to_string(problems[i]);
  }
  if (problems.size() > shown) {
    text += fmt::format("\n... and {} more; `fredsim trace check` lists them all", problems.size() - shown);
  }
  throw hw::InputError(text);
}

}  // namespace fredsim::trace
