#pragma once

#include <string>
#include <vector>

#include "hw/core/records.h"
#include "traces/format/json_line.h"

namespace fredsim::trace {

/// One line of a trace as an operation whose dependencies are still names.
struct OperationLine {
  hw::Operation operation;  ///< without after, after_all, partner and line
  std::vector<std::string> after;
  std::vector<std::string> after_all;
  std::vector<std::string> problems;  ///< everything that is wrong with the line
  bool usable = false;                ///< every value it gives was read: checks across lines make sense
};

OperationLine read_operation(const JsonLine& line);

/// The first line: what the trace says of itself.
struct Header {
  std::uint32_t npus = 0;
  std::string name;
  std::optional<std::uint64_t> operations;  ///< how many follow, if it says
  std::optional<hw::MemoryNeed> memory;
  std::vector<std::string> problems;
};

Header read_header(const JsonLine& line);

}  // namespace fredsim::trace
