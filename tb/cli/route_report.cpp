#include "tb/cli/route_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

namespace fredsim::tb {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::uint32_t> values(const std::vector<hw::PortId>& ports) {
  std::vector<std::uint32_t> result;
  for (const hw::PortId p : ports) result.push_back(p.value);
  return result;
}

std::vector<std::string> incomplete(const sw::Conflict& conflict) {
  std::vector<std::string> keys;
  if (!conflict.flows_complete) keys.emplace_back("flows");
  if (!conflict.level_complete) keys.emplace_back("level");
  if (!conflict.middle_complete) keys.emplace_back("smallest_middle");
  if (!conflict.swap_complete) keys.emplace_back("swap");
  return keys;
}

Json conflict_json(const sw::Conflict& conflict) {
  Json json;
  json["flows"] = conflict.flows;
  json["level"] = conflict.level;
  json["smallest_middle"] = conflict.smallest_middle ? Json(*conflict.smallest_middle) : Json();
  json["swap"] =
      conflict.swap ? Json::array({conflict.swap->first.value, conflict.swap->second.value}) : Json();
  json["placement"] = conflict.placement.empty() ? Json() : Json(values(conflict.placement));
  if (const auto keys = incomplete(conflict); !keys.empty()) json["incomplete"] = keys;
  return json;
}

Json turns_json(const std::vector<sw::RoutedGroup>& turns) {
  Json json = Json::array();
  for (const sw::RoutedGroup& turn : turns) json.push_back(turn.flows);
  return json;
}

Json decomposed_json(const sw::Decomposition& decomposition) {
  Json json = Json::array();
  for (const sw::Decomposed& one : decomposition.decomposed) {
    Json unicasts = Json::array();
    for (const auto& [from, to] : one.unicasts) unicasts.push_back(Json::array({from.value, to.value}));
    json.push_back({{"flow", one.flow}, {"unicasts", std::move(unicasts)}});
  }
  return json;
}

std::string list(const std::vector<std::uint32_t>& flows) {
  return fmt::format("{}", fmt::join(flows, ", "));
}

std::string level_text(const sw::Structure& structure, std::uint32_t level) {
  if (structure.levels() == 1) return "its only level";
  return fmt::format("level {} (of 0 to {}, 0 is the outermost)", level, structure.levels() - 1);
}

std::vector<std::string> moves(const std::vector<hw::PortId>& placement) {
  std::vector<std::string> text;
  for (std::uint32_t p = 0; p < placement.size(); ++p) {
    if (placement[p].value != p) text.push_back(fmt::format("{} to {}", p, placement[p].value));
  }
  return text;
}

std::string conflict_text(const RouteReport& report) {
  const sw::Conflict& conflict = *report.answer.conflict;
  std::string text = fmt::format("cannot be routed together: flows {}, at {}", list(conflict.flows),
                                 level_text(report.structure, conflict.level));
  text +=
      conflict.flows_complete ? "; without any one of them the others can\n" : "; perhaps fewer of them\n";

  if (conflict.smallest_middle) {
    text += fmt::format("all flows route with m = {}{}\n", *conflict.smallest_middle,
                        conflict.middle_complete ? "" : " (a smaller m may do, too)");
  } else {
    text += fmt::format("no m up to {} routes all flows{}\n", sw::max_middle,
                        conflict.middle_complete ? "" : ", as far as the search came");
  }
  if (conflict.swap) {
    text += fmt::format("all flows route with ports {} and {} exchanged\n", conflict.swap->first.value,
                        conflict.swap->second.value);
  } else {
    text += fmt::format("no exchange of two ports routes all flows{}\n",
                        conflict.swap_complete ? "" : ", as far as the search came");
  }
  if (!conflict.placement.empty()) {
    text += fmt::format("all flows route with ports moved: {}\n", fmt::join(moves(conflict.placement), ", "));
  }
  if (!incomplete(conflict).empty()) {
    text += fmt::format("(a search ended at its limit of {} steps)\n", report.limits.steps);
  }
  return text;
}

std::string outcome_text(const RouteReport& report) {
  switch (report.answer.outcome) {
    case sw::RoutingAnswer::Outcome::routed:
      return "all flows routed together\n";
    case sw::RoutingAnswer::Outcome::conflict:
      return conflict_text(report);
    case sw::RoutingAnswer::Outcome::given_up:
      break;
  }
  return fmt::format(
      "the search was given up after {} steps: whether these flows route together is not known\n",
      report.answer.steps);
}

std::string policy_text(const RouteReport& report) {
  std::string text;
  if (report.turns) {
    for (std::size_t i = 0; i < report.turns->size(); ++i) {
      text += fmt::format("turn {}: flows {}\n", i, list((*report.turns)[i].flows));
    }
  }
  if (report.decomposition) {
    text += fmt::format("in the network: flows {}\n", list(report.decomposition->kept.flows));
    for (const sw::Decomposed& one : report.decomposition->decomposed) {
      std::vector<std::string> unicasts;
      for (const auto& [from, to] : one.unicasts)
        unicasts.push_back(fmt::format("{}>{}", from.value, to.value));
      text += fmt::format("by the endpoints: flow {} as unicasts {}\n", one.flow, fmt::join(unicasts, " "));
    }
  }
  return text;
}

}  // namespace

std::vector<std::optional<sw::Route>> routes_of(const RouteReport& report) {
  std::vector<std::optional<sw::Route>> routes(report.flows.size());
  const auto take = [&](const sw::RoutedGroup& group) {
    for (std::size_t i = 0; i < group.flows.size(); ++i) routes[group.flows[i]] = group.routes[i];
  };
  if (report.answer.routed()) {
    routes.assign(report.answer.routes.begin(), report.answer.routes.end());
  } else if (report.turns) {
    for (const sw::RoutedGroup& turn : *report.turns) take(turn);
  } else if (report.decomposition) {
    take(report.decomposition->kept);
  }
  return routes;
}

Json to_json(const RouteReport& report) {
  const sw::ElementCounts& counts = report.structure.counts();
  const auto routes = routes_of(report);
  Json flows = Json::array();
  for (std::size_t i = 0; i < report.flows.size(); ++i) {
    Json flow;
    flow["inputs"] = values(report.flows[i].inputs);
    flow["outputs"] = values(report.flows[i].outputs);
    flow["path"] = routes[i] ? Json(routes[i]->colors) : Json();
    flows.push_back(std::move(flow));
  }
  Json json;
  json["routed"] = report.answer.routed();
  json["switch"] = {{"ports", report.structure.ports()}, {"middle", report.structure.middle()}};
  json["flows"] = std::move(flows);
  json["micro_switches"] = {{"r", counts.r}, {"d", counts.d}, {"rd", counts.rd}};
  json["hops"] = report.structure.stages();
  json["route_bits"] = report.structure.route_bits();
  json["conflict"] = report.answer.conflict ? conflict_json(*report.answer.conflict) : Json();
  if (report.answer.outcome == sw::RoutingAnswer::Outcome::given_up) {
    json["given_up_after_steps"] = report.answer.steps;
  }
  if (report.turns) json["turns"] = turns_json(*report.turns);
  if (report.decomposition) json["decomposed"] = decomposed_json(*report.decomposition);
  return json;
}

std::string to_text(const RouteReport& report) {
  const sw::Structure& structure = report.structure;
  const sw::ElementCounts& counts = structure.counts();
  std::string text = fmt::format("{}: {} R, {} D, {} RD micro-switches, {} hops, {} bits a route set\n",
                                 sw::to_string(structure), counts.r, counts.d, counts.rd, structure.stages(),
                                 structure.route_bits());
  const auto routes = routes_of(report);
  for (std::size_t i = 0; i < report.flows.size(); ++i) {
    text += fmt::format("flow {}: {}", i, sw::to_string(report.flows[i]));
    if (routes[i] && structure.levels() > 0) {
      text += fmt::format(" through middle switch {}", fmt::join(routes[i]->colors, "."));
    }
    text += '\n';
  }
  return text + outcome_text(report) + policy_text(report);
}

}  // namespace fredsim::tb
