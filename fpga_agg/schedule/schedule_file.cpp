#include "fpga_agg/schedule/schedule_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fpga_agg/schedule/text_file.h"
#include "hw/core/error.h"
#include "hw/core/nearest.h"

namespace fredsim::agg {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* format_name = "fredsim-schedule";
constexpr std::size_t most_rounds = 10'000;

/// "line:column" of a byte of the text.
std::string position(const std::string& text, std::size_t byte) {
  const std::size_t end = std::min(byte, text.size());
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  const std::size_t start = text.rfind('\n', end == 0 ? 0 : end - 1);
  return fmt::format("{}:{}", line, end - (start == std::string::npos || end == 0 ? 0 : start + 1) + 1);
}

class ScheduleReader {
 public:
  ScheduleReader(const std::string& text, std::string file, const Topology& topology)
      : file_(std::move(file)), topology_(topology) {
    std::vector<std::set<std::string>> keys;
    const auto watch = [&](int, json::parse_event_t event, json& value) {
      if (event == json::parse_event_t::object_start) keys.emplace_back();
      if (event == json::parse_event_t::object_end) keys.pop_back();
      if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
        throw hw::InputError(fmt::format("{}: the key {} is there twice", file_, value.dump()));
      }
      return true;
    };
    try {
      root_ = json::parse(text, watch);
    } catch (const json::parse_error& error) {
      throw hw::InputError(fmt::format("{}:{}: this is not JSON (a schedule is an object with rounds)", file_,
                                       position(text, error.byte == 0 ? 0 : error.byte - 1)));
    }
  }

  ScheduleFile read() const {
    object(root_, "", {"format", "version", "sites", "candidates", "rounds", "best", "crossover_bytes"});
    if (root_.contains("format") && root_["format"] != format_name) {
      refuse("/format", fmt::format("\"{}\" is due", format_name));
    }
    if (root_.contains("version") && root_["version"] != 1) refuse("/version", "1 is due");
    if (root_.contains("sites")) sites(root_["sites"]);
    if (root_.contains("rounds") == root_.contains("candidates")) {
      refuse("", "either candidates or rounds are due");
    }
    ScheduleFile file;
    if (root_.contains("rounds")) {
      file.schedules.push_back(rounds(root_["rounds"], "/rounds"));
      return file;
    }
    const json& candidates = array(root_["candidates"], "/candidates", "candidates");
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const std::string pointer = fmt::format("/candidates/{}", i);
      object(candidates[i], pointer,
             {"rounds", "round_ns", "total_ns", "sigma", "exact", "memory_needed_bytes"});
      if (!candidates[i].contains("rounds")) refuse(pointer, "rounds are missing");
      file.schedules.push_back(rounds(candidates[i]["rounds"], pointer + "/rounds"));
    }
    if (root_.contains("best")) {
      const json& best = root_["best"];
      if (!best.is_number_unsigned() || best.get<std::uint64_t>() >= candidates.size()) {
        refuse("/best", fmt::format("the number of a candidate is due, 0 to {}", candidates.size() - 1));
      }
      file.best = best.get<std::size_t>();
    }
    return file;
  }

 private:
  [[noreturn]] void refuse(const std::string& pointer, const std::string& what) const {
    throw hw::InputError(fmt::format("{}: {}{}{}", file_, pointer, pointer.empty() ? "" : ": ", what));
  }

  void object(const json& value, const std::string& pointer, const std::vector<std::string>& known) const {
    if (!value.is_object()) refuse(pointer, "an object is due");
    for (const auto& [key, ignored] : value.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      refuse(pointer, fmt::format("unknown key {}{}; known are {}", json(key).dump(-1, ' ', true),
                                  hw::did_you_mean(key, known), fmt::join(known, ", ")));
    }
  }

  const json& array(const json& value, const std::string& pointer, const std::string& of) const {
    if (!value.is_array() || value.empty()) refuse(pointer, fmt::format("a list of {} is due", of));
    return value;
  }

  std::string name(const json& value, const std::string& pointer) const {
    if (!value.is_string()) refuse(pointer, "the name of a site is due");
    return value.get<std::string>();
  }

  std::uint32_t site(const json& value, const std::string& pointer) const {
    try {
      return topology_.site(name(value, pointer));
    } catch (const hw::InputError& error) {
      const std::string what = error.what();
      if (what.rfind(file_ + ": ", 0) == 0) throw;
      refuse(pointer, what);
    }
  }

  /// The file's sites must be the topology's, in whatever order.
  void sites(const json& list) const {
    array(list, "/sites", "sites");
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!seen.insert(site(list[i], fmt::format("/sites/{}", i))).second)
        refuse("/sites", "a site is named twice");
    }
    if (seen.size() != topology_.site_count) {
      refuse("/sites", fmt::format("{} sites, but the topology has {}", seen.size(), topology_.site_count));
    }
  }

  std::vector<Round> rounds(const json& list, const std::string& pointer) const {
    array(list, pointer, "rounds");
    if (list.size() > most_rounds) refuse(pointer, fmt::format("more than {} rounds", most_rounds));
    std::vector<Round> result;
    for (std::size_t r = 0; r < list.size(); ++r) {
      const std::string at = fmt::format("{}/{}", pointer, r);
      Round round;
      std::set<std::uint32_t> placed;
      array(list[r], at, "cliques");
      for (std::size_t c = 0; c < list[r].size(); ++c) {
        const std::string clique_at = fmt::format("{}/{}", at, c);
        Clique clique;
        for (std::size_t m = 0; m < array(list[r][c], clique_at, "names of sites").size(); ++m) {
          const std::uint32_t member = site(list[r][c][m], fmt::format("{}/{}", clique_at, m));
          if (!placed.insert(member).second) {
            refuse(fmt::format("{}/{}", clique_at, m),
                   fmt::format("{} is in this round before", topology_.nodes[member]));
          }
          clique.push_back(member);
        }
        round.push_back(std::move(clique));
      }
      result.push_back(normalized(std::move(round), topology_.site_count));
    }
    return result;
  }

  std::string file_;
  const Topology& topology_;
  json root_;
};

}  // namespace

ordered_json to_json(const Topology& topology, const std::vector<Candidate>& candidates, std::size_t best,
                     std::optional<double> crossover_bytes) {
  ordered_json result;
  result["format"] = format_name;
  result["version"] = 1;
  result["sites"] = topology.site_names();
  result["candidates"] = ordered_json::array();
  for (const Candidate& candidate : candidates) {
    ordered_json one;
    one["rounds"] = ordered_json::array();
    for (const Round& round : candidate.rounds) {
      ordered_json cliques = ordered_json::array();
      for (const Clique& clique : round) {
        ordered_json names = ordered_json::array();
        for (const std::uint32_t site : clique) names.push_back(topology.nodes[site]);
        cliques.push_back(std::move(names));
      }
      one["rounds"].push_back(std::move(cliques));
    }
    one["round_ns"] = candidate.round_ns;
    one["total_ns"] = candidate.total_ns;
    one["sigma"] = candidate.sigma;
    one["exact"] = candidate.exact;
    one["memory_needed_bytes"] = static_cast<std::uint64_t>(std::ceil(candidate.memory_needed));
    result["candidates"].push_back(std::move(one));
  }
  result["best"] = best;
  if (crossover_bytes) {
    result["crossover_bytes"] = static_cast<std::uint64_t>(*crossover_bytes);
  } else {
    result["crossover_bytes"] = nullptr;
  }
  return result;
}

ScheduleFile parse_schedule(const std::string& text, const std::string& name, const Topology& topology) {
  return ScheduleReader(text, name, topology).read();
}

ScheduleFile load_schedule(const std::string& path, const Topology& topology) {
  return parse_schedule(read_small_file(path, "a schedule"), path, topology);
}

}  // namespace fredsim::agg
