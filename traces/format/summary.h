#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hw/core/records.h"

namespace fredsim::trace {

/// What a trace asks for, in figures.
struct Summary {
  struct Count {
    std::uint64_t operations = 0;
    std::uint64_t bytes = 0;  ///< the operations' `bytes`, as the trace gives them, added up
  };
  std::map<hw::OperationType, Count> by_type;                  ///< types that occur
  std::array<Count, hw::traffic_classes> by_class;             ///< operations that move data or synchronize
  std::map<std::vector<std::uint32_t>, std::uint64_t> groups;  ///< members in rank order; operations of each
  std::uint64_t depth = 0;  ///< operations on the longest chain of dependencies (send to receive included)
};

/// `workload` must have passed `check`. hw::InputError if all bytes together exceed 64 bits.
Summary summarize(const hw::Workload& workload);

/// "12 operations on 8 NPUs".
std::string size_text(const hw::Workload& workload);

/// For `fredsim trace info`: a text that a person reads, and JSON (docs/03-workload-traces.md).
std::string summary_text(const hw::Workload& workload, const Summary& summary);
std::string summary_json(const hw::Workload& workload, const Summary& summary);

}  // namespace fredsim::trace
