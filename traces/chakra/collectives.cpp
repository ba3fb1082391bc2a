#include "traces/chakra/collectives.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"
#include "traces/format/keys.h"

namespace fredsim::trace {
namespace {

std::string quoted(const std::string& group) {
  return group.empty() ? "of all ranks" : fmt::format("\"{}\"", group);
}

/// The members a definition gives, checked.
hw::Group members_of(const ChakraGroup& group, const RankTrace& file, std::size_t ranks) {
  const auto fail = [&](const std::string& reason) {
    throw hw::InputError(
        fmt::format("{}: node {}: process group \"{}\" {}", file.file, group.node, group.name, reason));
  };
  hw::Group members;
  std::vector<bool> seen(ranks, false);
  for (const std::uint32_t rank : group.ranks) {
    if (rank >= ranks)
      fail(fmt::format("has rank {}, but there are files of ranks 0 to {} only", rank, ranks - 1));
    if (seen[rank]) fail(fmt::format("has rank {} twice", rank));
    seen[rank] = true;
    members.emplace_back(rank);
  }
  for (std::uint32_t rank = 0; group.ranks.empty() && rank < ranks; ++rank) members.emplace_back(rank);
  const bool names_all = group.name.empty() || group.name == "0";
  if (names_all && members.size() != ranks) {
    fail(fmt::format("means all ranks, but has {} of {}", members.size(), ranks));
  }
  return members;
}

/// Nodes of one group by rank, in file order.
using Appearances = std::map<std::uint32_t, std::vector<std::uint32_t>>;

std::string id_prefix(const std::string& group, std::size_t index) {
  if (group.empty()) return "all";
  const bool plain = std::all_of(group.begin(), group.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
  return plain ? "pg" + group : fmt::format("group{}", index);
}

hw::Operation operation_of(const ChakraNode& node, const std::string& where, const hw::Group& group) {
  using T = hw::OperationType;
  hw::Operation operation;
  operation.type = node.collective;
  operation.npus = group;
  operation.bytes = node.bytes;
  if (node.collective == T::gather || node.collective == T::scatter) {
    // Chakra counts what the root holds in all, a trace the shard of each.
    if (node.bytes % group.size() != 0) {
      throw hw::InputError(fmt::format("{}: comm_size {} does not divide by the {} ranks of its group", where,
                                       node.bytes, group.size()));
    }
    operation.bytes = node.bytes / group.size();
  }
  if (need(operation.type, "root") != Need::not_taken) {
    operation.root = node.root ? hw::NpuId(*node.root) : group.front();
  }
  return operation;
}

void hold_against(const RankTrace& first_file, const ChakraNode& first, const RankTrace& file,
                  const ChakraNode& node) {
  const auto fail = [&](const std::string& what, const std::string& other) {
    throw hw::InputError(fmt::format("{}: is {}, but {}, which it matches, is {}", place(file, node), what,
                                     place(first_file, first), other));
  };
  if (node.collective != first.collective) {
    fail(std::string(hw::to_string(node.collective)), std::string(hw::to_string(first.collective)));
  }
  if (node.bytes != first.bytes) {
    fail(fmt::format("of comm_size {}", node.bytes), fmt::format("of {}", first.bytes));
  }
  if (node.root != first.root) {
    const auto root = [](const ChakraNode& n) {
      return n.root ? fmt::format("of root {}", *n.root) : "without a root";
    };
    fail(root(node), root(first));
  }
}

}  // namespace

std::map<std::string, hw::Group> chakra_groups(const std::vector<RankTrace>& ranks) {
  struct Definition {
    hw::Group members;
    const RankTrace* file;
    const ChakraGroup* group;
  };
  std::map<std::string, Definition> definitions;
  for (const RankTrace& file : ranks) {
    for (const ChakraGroup& group : file.groups) {
      Definition definition{members_of(group, file, ranks.size()), &file, &group};
      const auto [known, added] = definitions.emplace(group.name == "0" ? "" : group.name, definition);
      if (!added && known->second.members != definition.members) {
        throw hw::InputError(
            fmt::format("{}: node {}: process group \"{}\" has other ranks than in {}: node {}", file.file,
                        group.node, group.name, known->second.file->file, known->second.group->node));
      }
    }
  }
  std::map<std::string, hw::Group> groups;
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) groups[""].emplace_back(rank);
  for (auto& [name, definition] : definitions) groups[name] = std::move(definition.members);
  return groups;
}

std::vector<MatchedCollective> match_collectives(const std::vector<RankTrace>& ranks) {
  const std::map<std::string, hw::Group> groups = chakra_groups(ranks);
  std::map<std::string, Appearances> appearances;
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    const auto& nodes = ranks[rank].nodes;
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      if (nodes[n].kind != ChakraNode::Kind::collective) continue;
      const auto group = groups.find(nodes[n].group);
      if (group == groups.end()) {
        throw hw::InputError(fmt::format("{}: no metadata node defines its process group \"{}\"",
                                         place(ranks[rank], nodes[n]), nodes[n].group));
      }
      if (std::find(group->second.begin(), group->second.end(), hw::NpuId(rank)) == group->second.end()) {
        throw hw::InputError(fmt::format("{}: rank {} is not in its process group \"{}\"",
                                         place(ranks[rank], nodes[n]), rank, nodes[n].group));
      }
      appearances[nodes[n].group][rank].push_back(n);
    }
  }

  std::vector<MatchedCollective> collectives;
  for (auto& [name, by_rank] : appearances) {
    const hw::Group& group = groups.at(name);
    const std::uint32_t first = group.front().value;
    const auto most = std::max_element(by_rank.begin(), by_rank.end(), [](const auto& a, const auto& b) {
      return a.second.size() < b.second.size();
    });
    for (const hw::NpuId member : group) {
      const std::size_t has = by_rank[member.value].size();
      if (has < most->second.size()) {
        const RankTrace& longer = ranks[most->first];
        throw hw::InputError(fmt::format(
            "{}: has {} collectives of the process group {}, so {} has no partner there",
            ranks[member.value].file, has, quoted(name), place(longer, longer.nodes[most->second[has]])));
      }
    }
    const auto index = static_cast<std::size_t>(std::distance(groups.begin(), groups.find(name)));
    for (std::size_t k = 0; k < most->second.size(); ++k) {
      const ChakraNode& node = ranks[first].nodes[by_rank[first][k]];
      MatchedCollective collective{operation_of(node, place(ranks[first], node), group), {}};
      collective.operation.id =
          fmt::format("{}.{}{}{}", id_prefix(name, index), k, node.name.empty() ? "" : ".", node.name);
      for (const hw::NpuId member : group) {
        const std::uint32_t n = by_rank[member.value][k];
        hold_against(ranks[first], node, ranks[member.value], ranks[member.value].nodes[n]);
        collective.nodes.push_back(n);
      }
      collectives.push_back(std::move(collective));
    }
  }
  return collectives;
}

}  // namespace fredsim::trace
