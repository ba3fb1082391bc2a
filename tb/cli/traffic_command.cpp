#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "tb/cli/command.h"
#include "tb/cli/output_file.h"
#include "tb/cli/shared_files.h"
#include "tb/configuration/configuration.h"
#include "tb/configuration/value_text.h"
#include "tb/traffic/measure.h"

namespace fredsim::tb {
namespace {

struct Given {
  std::string configuration;
  std::vector<std::string> sets;
  std::string pattern;
  std::vector<std::string> rates;
  bool saturation = false;
  std::string traffic_class = "dp";
  std::string hot = "0", hot_share = "0.1";
  std::string warm_up = "2us", window = "8us";
  std::optional<std::string> seed, json;
  bool monitors = false;
};

template <class Parse>
auto value(const char* option, const std::string& text, Parse parse) -> decltype(parse(text)) {
  try {
    return parse(text);
  } catch (const hw::InputError& error) {
    throw hw::InputError(fmt::format("{} {}: {}", option, text, error.what()));
  }
}

double share(const char* option, const std::string& text, double most) {
  const double number = value(option, text, parse_real);
  if (number > 0 && number <= most) return number;
  throw hw::InputError(fmt::format("{} {}: out of range; above 0 to {} is allowed", option, text, most));
}

TrafficOptions traffic_options(const Given& given, const Configuration& configuration) {
  TrafficOptions options;
  const auto pattern = parse_traffic_pattern(given.pattern);
  if (!pattern) {
    throw hw::InputError(
        fmt::format("{}: no such pattern{}; uniform, hotspot, transpose, bit-complement and "
                    "neighbour are allowed",
                    given.pattern, hw::did_you_mean(given.pattern, traffic_pattern_names())));
  }
  options.pattern = *pattern;
  const auto traffic_class = hw::parse_traffic_class(given.traffic_class);
  if (!traffic_class)
    throw hw::InputError(fmt::format("--class {}: mp, pp and dp are allowed", given.traffic_class));
  options.traffic_class = *traffic_class;
  const std::uint64_t hot = value("--hot", given.hot, parse_integer);
  if (hot >= configuration.npus())
    throw hw::InputError(fmt::format("--hot {}: the system has NPUs 0 to {}", hot, configuration.npus() - 1));
  options.hot = static_cast<std::uint32_t>(hot);
  options.hot_share = share("--hot-share", given.hot_share, 1);
  options.warm_up = value("--warm-up", given.warm_up, hw::parse_time);
  options.window = value("--window", given.window, hw::parse_time);
  if (options.window == hw::Time()) throw hw::InputError("--window: must be longer than 0");
  options.monitors = given.monitors;
  return options;
}

std::string line_of(const TrafficResult& r) {
  return fmt::format("{:6.3f} {:8.4f} {:8.4f} {:>9} {:9.1f} {:9.1f} {:9.1f} {:9.1f} {:9.1f}{}\n", r.rate,
                     r.offered, r.accepted, r.packets, r.mean_ns, r.median_ns, r.p95_ns, r.p99_ns, r.max_ns,
                     r.saturated ? "  saturated" : "");
}

const TrafficResult::Link* busiest(const TrafficResult& result) {
  const TrafficResult::Link* found = nullptr;
  for (const TrafficResult::Link& link : result.links) {
    if (found == nullptr || link.utilization > found->utilization) found = &link;
  }
  return found;
}

int run_traffic(const Given& given) {
  std::vector<std::string> sets = given.sets;
  if (given.seed) sets.push_back(fmt::format("seed={}", *given.seed));
  const Configuration configuration = load_configuration(given.configuration, sets);
  if (configuration.system == SystemKind::wan) {
    throw hw::InputError(given.configuration + ": system: wan replays schedules and has no NPUs for traffic");
  }
  TrafficOptions options = traffic_options(given, configuration);
  if (given.saturation == !given.rates.empty())
    throw hw::InputError("give the rates to measure with --rate, or --saturation to search for the highest");
  const double most =
      configuration.npu_link().bandwidth.bytes_per_second() / traffic_link(configuration).bytes_per_second();
  std::vector<double> rates;
  for (const std::string& rate : given.rates) rates.push_back(share("--rate", rate, most));
  std::optional<OutputFile> json;
  if (given.json) {
    refuse_shared_files({{"the configuration", given.configuration}}, {{"--json", *given.json}});
    json.emplace("--json", *given.json);
  }

  std::vector<TrafficResult> measured;
  std::optional<double> saturation;
  if (given.saturation) {
    Saturation found = find_saturation(configuration, options);
    saturation = found.rate;
    measured = std::move(found.measured);
  } else {
    for (const double rate : rates) {
      options.rate = rate;
      measured.push_back(measure_apart(configuration, options));
    }
  }

  std::ostream& people = given.json == "-" ? std::cerr : std::cout;
  people << fmt::format("{} traffic of {} NPUs; rates in parts of {} an NPU\n", given.pattern,
                        configuration.npus(), hw::to_string(traffic_link(configuration)))
         << "  rate  offered accepted   packets   mean_ns    p50_ns    p95_ns    p99_ns    max_ns\n";
  for (const TrafficResult& result : measured) people << line_of(result);
  if (!measured.empty()) {
    if (const TrafficResult::Link* link = busiest(measured.back()))
      people << fmt::format("busiest link at rate {:.3f}: {}, {:.3f} of the time\n", measured.back().rate,
                            link->name, link->utilization);
  }
  if (saturation) people << fmt::format("saturates at {:.3f}\n", *saturation);
  if (json) {
    nlohmann::ordered_json file{{"format", "fredsim-traffic"},
                                {"version", 1},
                                {"pattern", given.pattern},
                                {"class", given.traffic_class},
                                {"seed", configuration.seed},
                                {"warm_up_ns", options.warm_up.ns()},
                                {"window_ns", options.window.ns()},
                                {"link_bytes_per_s", traffic_link(configuration).bytes_per_second()}};
    if (saturation) file["saturation"] = *saturation;
    file["measured"] = nlohmann::ordered_json::array();
    for (const TrafficResult& result : measured) file["measured"].push_back(to_json(result));
    json->write(file);
  }
  return 0;
}

}  // namespace

void add_traffic_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Given>();
  CLI::App* command = app.add_subcommand(
      "traffic",
      "Measure latency and throughput of a system under synthetic traffic, as network-on-chip simulators do");
  command->add_option("CONFIG", options->configuration, "Configuration of the system (YAML)")->required();
  command->add_option("PATTERN", options->pattern, "uniform, hotspot, transpose, bit-complement, neighbour")
      ->required();
  command
      ->add_option(
          "--rate", options->rates,
          "What every NPU offers, in parts of the rate of a link (between routers of a mesh, at an NPU "
          "elsewhere), such as 0.3; may be repeated")
      ->allow_extra_args(false);
  command->add_flag("--saturation", options->saturation, "Search for the highest rate that is accepted");
  command->add_option("--class", options->traffic_class,
                      "Traffic class and virtual channel: mp, pp, dp (default)");
  command->add_option("--hot", options->hot, "hotspot: the NPU that gets more, by default 0");
  command->add_option("--hot-share", options->hot_share,
                      "hotspot: the part of all packets for it, by default 0.1");
  command->add_option("--warm-up", options->warm_up, "Simulated time before the measurement, by default 2us");
  command->add_option("--window", options->window, "Simulated time of the measurement, by default 8us");
  command->add_option("--set", options->sets, "Override a parameter, key=value; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--seed", options->seed, "Where random numbers start, as --set seed=N");
  command->add_option("--json", options->json, "Write the results to this file; - is standard output");
  command->add_flag("--monitors", options->monitors, "Check the packet protocol at both ends of every link");
  command->callback([options, &exit_code] { exit_code = run_traffic(*options); });
}

}  // namespace fredsim::tb
