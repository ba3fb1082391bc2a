#include "traces/chakra/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "hw/core/error.h"
#include "traces/chakra/merge.h"
#include "traces/chakra/rank_trace.h"
#include "traces/format/check.h"
#include "traces/format/match.h"

namespace fredsim::trace {
namespace {

namespace fs = std::filesystem;

/// The rank of `STEM.N.et` or `STEM.N.et.gz`; N without leading zeros.
std::optional<std::uint32_t> rank_of(std::string_view name, std::string_view stem) {
  for (const std::string_view ending : {".et", ".et.gz"}) {
    if (name.size() <= stem.size() + 1 + ending.size() || name.substr(0, stem.size()) != stem ||
        name[stem.size()] != '.' || name.substr(name.size() - ending.size()) != ending) {
      continue;
    }
    const std::string_view digits =
        name.substr(stem.size() + 1, name.size() - stem.size() - 1 - ending.size());
    std::uint32_t rank = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
    const bool canonical = digits.size() == 1 || digits[0] != '0';
    if (error == std::errc() && end == digits.data() + digits.size() && canonical && rank < max_npus)
      return rank;
  }
  return std::nullopt;
}

std::map<std::uint32_t, std::vector<std::string>> files_of(const std::string& prefix) {
  const fs::path path(prefix);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const std::string stem = path.filename().string();
  std::map<std::uint32_t, std::vector<std::string>> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const auto rank = rank_of(entry->path().filename().string(), stem);
    if (rank) {
      const fs::path file = path.has_parent_path() ? entry->path() : entry->path().filename();
      files[*rank].push_back(file.string());
    }
  }
  return files;
}

}  // namespace

bool is_chakra_prefix(const std::string& prefix) {
  return !files_of(prefix).empty();
}

hw::Workload import_chakra(const std::string& prefix) {
  const auto files = files_of(prefix);
  if (files.empty()) {
    throw hw::InputError(fmt::format("{0}: there is no Chakra trace {0}.0.et, {0}.1.et, ...", prefix));
  }
  std::vector<RankTrace> ranks;
  for (const auto& [rank, names] : files) {
    if (rank != ranks.size()) {
      throw hw::InputError(fmt::format("{}.{}.et is missing: there are files up to rank {}", prefix,
                                       ranks.size(), files.rbegin()->first));
    }
    if (names.size() > 1) {
      throw hw::InputError(fmt::format("{} and {}: two files for rank {}", names[0], names[1], rank));
    }
    ranks.push_back(read_rank(names.front(), rank));
  }
  hw::Workload workload = merge(ranks, prefix);
  refuse(check(workload));
  set_partners(workload);
  return workload;
}

}  // namespace fredsim::trace
