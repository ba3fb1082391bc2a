#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/records.h"

namespace fredsim::trace {

/// A Chakra node, as far as it says something about traffic and time.
struct ChakraNode {
  enum class Kind { metadata, work, send, receive, collective };
  std::uint64_t id = 0;
  std::string name;
  Kind kind = Kind::work;
  std::vector<std::uint32_t> deps;  ///< indices of nodes of this rank, ascending, once each
  hw::Time duration;                ///< work
  double flops = 0;                 ///< work without a duration
  hw::OperationType collective = hw::OperationType::barrier;
  std::string group;        ///< pg_name; empty: all ranks
  std::uint64_t bytes = 0;  ///< comm_size
  std::optional<std::uint32_t> root;
  std::uint32_t peer = 0;  ///< send: comm_dst; receive: comm_src
  std::int64_t tag = 0;
};

/// A process group as one rank's file defines it.
struct ChakraGroup {
  std::string name;
  std::vector<std::uint32_t> ranks;  ///< empty: all
  std::uint64_t node = 0;            ///< the metadata node that says so
};

/// One rank's file.
struct RankTrace {
  std::string file;
  std::vector<ChakraNode> nodes;  ///< in file order
  std::vector<ChakraGroup> groups;
};

/// "a.0.et: node 17 (all_reduce)".
std::string place(const RankTrace& trace, const ChakraNode& node);

/// Reads the file of `rank`; hw::InputError with file and node for what is damaged, unknown or contradictory.
RankTrace read_rank(const std::string& path, std::uint32_t rank);

}  // namespace fredsim::trace
