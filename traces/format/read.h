#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/records.h"
#include "traces/format/problem.h"

namespace fredsim::trace {

/// What a trace file holds and everything that is wrong with it.
struct ReadResult {
  hw::Workload workload;          ///< what could be read; fit to run only if there are no problems
  std::vector<Problem> problems;  ///< by line
};

/// Reads a trace (docs/03-workload-traces.md) line by line, keeping no text beyond the line at hand, and
/// checks all that `check` does. `system_npus`: the size of the system it is to run on, if known. Never
/// throws for what the file says; an unreadable file is a problem too. A wrong first line ends the reading,
/// nothing else does.
ReadResult read(const std::string& path, std::optional<std::uint32_t> system_npus = std::nullopt);
ReadResult read(std::istream& in, const std::string& name,
                std::optional<std::uint32_t> system_npus = std::nullopt);

/// The workload of a file without problems; otherwise hw::InputError with the first few of them and their
/// number.
hw::Workload read_checked(const std::string& path, std::optional<std::uint32_t> system_npus = std::nullopt);

}  // namespace fredsim::trace
