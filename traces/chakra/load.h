#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hw/core/records.h"

namespace fredsim::trace {

/// What `--trace` takes: the path of a trace file or, if there is no such file, the prefix of Chakra files.
/// The workload is checked, against a system of `system_npus` if given; hw::InputError otherwise.
hw::Workload load(const std::string& path, std::optional<std::uint32_t> system_npus = std::nullopt);

/// hw::InputError that names the prefix if `path` is the file of one rank, PREFIX.N.et.
void refuse_single_rank(const std::string& path);

}  // namespace fredsim::trace
