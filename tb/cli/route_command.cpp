#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "switch/route/dot.h"
#include "tb/cli/command.h"
#include "tb/cli/output_file.h"
#include "tb/cli/route_flow.h"
#include "tb/cli/route_report.h"
#include "tb/cli/shared_files.h"

namespace fredsim::tb {
namespace {

const std::vector<std::string> policies = {"fail", "block", "decompose"};
constexpr const char* standard_output = "-";

struct Options {
  std::int64_t ports = 0;
  std::int64_t middle = 0;
  std::vector<std::string> flows;
  std::string policy = policies.front();
  std::optional<std::string> json;
  std::optional<std::string> dot;
};

std::uint32_t in_range(const char* option, std::int64_t value, std::uint32_t min, std::uint32_t max) {
  if (value < min || value > max) {
    throw hw::InputError(fmt::format("{} {}: {} to {} are allowed", option, value, min, max));
  }
  return static_cast<std::uint32_t>(value);
}

void check_policy(const std::string& policy) {
  if (std::find(policies.begin(), policies.end(), policy) != policies.end()) return;
  const std::string meant = hw::nearest(policy, policies);
  throw hw::InputError(fmt::format("--policy {}: {} are allowed{}", policy, fmt::join(policies, ", "),
                                   meant.empty() ? "" : fmt::format("; did you mean {}?", meant)));
}

void run_route(const Options& options) {
  const std::uint32_t ports = in_range("--ports", options.ports, sw::min_ports, sw::max_ports);
  const std::uint32_t middle = in_range("--middle", options.middle, sw::min_middle, sw::max_middle);
  check_policy(options.policy);
  RouteReport report{sw::Structure(ports, middle), {}, {}, {}, {}, {}};
  for (const std::string& flow : options.flows) {
    report.flows.push_back(parse_port_flow(flow, report.structure));
  }
  sw::check_flows(report.structure, report.flows);
  if (options.json == standard_output && options.dot == standard_output) {
    throw hw::InputError("--json - --dot -: each needs a file of its own");
  }
  if (options.json && options.dot)
    refuse_shared_files({}, {{"--json", *options.json}, {"--dot", *options.dot}});
  std::optional<OutputFile> json;
  std::optional<OutputFile> dot;
  if (options.json) json.emplace("--json", *options.json);
  if (options.dot) dot.emplace("--dot", *options.dot);

  report.answer = sw::route(report.structure, report.flows, report.limits);
  if (options.policy == "block") {
    report.turns = sw::turns(report.structure, report.flows, report.limits);
  } else if (options.policy == "decompose") {
    report.decomposition = sw::decompose(report.structure, report.flows, report.limits);
  }

  // What goes to standard output on request is to be read by a program, so the summary makes room for it.
  const bool piped = options.json == standard_output || options.dot == standard_output;
  fmt::print(piped ? stderr : stdout, "{}", to_text(report));
  if (json) json->write(to_json(report));
  if (dot) dot->write(sw::to_dot(report.structure, report.flows, routes_of(report)));
}

}  // namespace

void add_route_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("route", "Route flows together through one FRED switch");
  command->add_option("--ports", options->ports, "Ports of the switch, 2 to 64")->required();
  command->add_option("--middle", options->middle, "Middle switches m of FRED_m(P), 2 to 8")->required();
  command
      ->add_option(
          "--flow", options->flows,
          "A flow, \"IPs>OPs\": what enters at the input ports is reduced, the result leaves at every "
          "output port; \"0,2>0-3\" (repeatable)")
      ->required()
      ->allow_extra_args(false);
  command
      ->add_option(
          "--policy", options->policy,
          "When the flows do not route together: fail (only say why), block (share them out on turns), "
          "decompose (leave the smaller ones to the endpoints)")
      ->capture_default_str();
  command->add_option("--json", options->json,
                      "Write the answer to this file as JSON, - for standard output");
  command->add_option(
      "--dot", options->dot,
      "Write a picture of the routed switch for Graphviz to this file, - for standard output");
  command->callback([options, &exit_code] {
    run_route(*options);
    exit_code = 0;
  });
}

}  // namespace fredsim::tb
