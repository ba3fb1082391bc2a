#include "traces/format/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "hw/core/error.h"
#include "traces/format/keys.h"
#include "traces/format/match.h"
#include "traces/format/order_graph.h"

namespace fredsim::trace {
namespace {

void add(Summary::Count& count, const hw::Operation& operation) {
  ++count.operations;
  if (__builtin_add_overflow(count.bytes, operation.bytes, &count.bytes)) {
    throw hw::InputError("the bytes of all operations together do not fit 64 bits");
  }
}

}  // namespace

Summary summarize(const hw::Workload& workload) {
  Summary summary;
  for (const hw::Operation& operation : workload.operations) {
    add(summary.by_type[operation.type], operation);
    if (need(operation.type, "class") != Need::not_taken)
      add(summary.by_class[index(operation.traffic_class)], operation);
    std::vector<std::uint32_t> members;
    for (const hw::NpuId npu : operation.npus) members.push_back(npu.value);
    ++summary.groups[members];
  }
  summary.depth = OrderGraph(workload, match(workload)).depth();
  return summary;
}

std::string size_text(const hw::Workload& workload) {
  const std::size_t operations = workload.operations.size();
  return fmt::format("{} operation{} on {} NPU{}", operations, operations == 1 ? "" : "s", workload.npus,
                     workload.npus == 1 ? "" : "s");
}

std::string summary_text(const hw::Workload& workload, const Summary& summary) {
  std::string text =
      fmt::format("{}: {}, depth {}\n", workload.name.empty() ? workload.source : workload.name,
                  size_text(workload), summary.depth);
  const auto row = [&](std::string_view name, const Summary::Count& count) {
    text += fmt::format("  {:<16}{:>12} operations  {:>14}\n", name, count.operations,
                        hw::bytes_to_string(count.bytes));
  };
  text += "by type\n";
  for (const auto& [type, count] : summary.by_type) row(hw::to_string(type), count);
  text += "by class\n";
  for (std::size_t c = 0; c < hw::traffic_classes; ++c) {
    row(hw::to_string(static_cast<hw::TrafficClass>(c)), summary.by_class[c]);
  }
  // The busiest first, of equals the lower NPUs.
  std::vector<std::pair<std::uint64_t, const std::vector<std::uint32_t>*>> groups;
  for (const auto& [members, operations] : summary.groups) groups.emplace_back(operations, &members);
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  constexpr std::size_t shown = 20;
  text += fmt::format("groups ({})\n", groups.size());
  for (std::size_t i = 0; i < std::min(shown, groups.size()); ++i) {
    text += fmt::format("  {:>12} operations  {{{}}}\n", groups[i].first, fmt::join(*groups[i].second, ","));
  }
  if (groups.size() > shown) text += fmt::format("  ... and {} more\n", groups.size() - shown);
  return text;
}

std::string summary_json(const hw::Workload& workload, const Summary& summary) {
  using Json = nlohmann::ordered_json;
  const auto of = [](const Summary::Count& count) {
    return Json{{"operations", count.operations}, {"bytes", count.bytes}};
  };
  Json json = {{"format", "fredsim-trace-info"},
               {"version", 1},
               {"name", workload.name},
               {"npus", workload.npus},
               {"operations", workload.operations.size()},
               {"depth", summary.depth}};
  json["by_type"] = Json::object();
  for (const auto& [type, count] : summary.by_type)
    json["by_type"][std::string(hw::to_string(type))] = of(count);
  json["by_class"] = Json::object();
  for (std::size_t c = 0; c < hw::traffic_classes; ++c) {
    json["by_class"][std::string(hw::to_string(static_cast<hw::TrafficClass>(c)))] = of(summary.by_class[c]);
  }
  json["groups"] = Json::array();
  for (const auto& [members, operations] : summary.groups) {
    json["groups"].push_back(Json{{"npus", members}, {"operations", operations}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fredsim::trace
