#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fredsim::trace {

/// One reason why a trace cannot run.
struct Problem {
  std::string file;
  std::uint32_t line =
      0;  ///< counted from 1; 0: no line of a text file (an imported trace, the file as a whole)
  std::string operation;  ///< the id; empty where no operation is meant
  std::string reason;     ///< what is wrong and what is allowed
};

/// "traces/a.jsonl:7: operation "dp0": root 9 is not in its group".
std::string to_string(const Problem&);

/// Throws hw::InputError with the first few of `problems` and how many more there are; returns if there are
/// none.
void refuse(const std::vector<Problem>& problems);

}  // namespace fredsim::trace
