#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "fpga_agg/schedule/schedule_file.h"
#include "fpga_agg/schedule/search.h"
#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "hw/core/quantity.h"
#include "tb/cli/command.h"
#include "tb/cli/output_file.h"
#include "tb/cli/schedule_report.h"
#include "tb/cli/shared_files.h"

namespace fredsim::tb {
namespace {

constexpr std::uint64_t most_bytes = 1'000'000'000'000'000;

struct Options {
  std::string topology;
  std::string memory = "unlimited";
  std::string size = "1 GB";
  std::optional<std::string> bandwidth;
  std::string contention = "access_only";
  std::string start = "arrival_aligned";
  std::string objective = "exact";
  std::optional<std::string> rounds;
  std::optional<std::string> json;
};

/// The index of a word among those allowed.
std::size_t choice(const char* option, const std::string& word, const std::vector<std::string>& allowed) {
  const auto found = std::find(allowed.begin(), allowed.end(), word);
  if (found != allowed.end()) return static_cast<std::size_t>(found - allowed.begin());
  throw hw::InputError(fmt::format("{} {}: {} are allowed{}", option, word, fmt::join(allowed, ", "),
                                   hw::did_you_mean(word, allowed)));
}

template <class Parse>
auto quantity(const char* option, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const hw::InputError& error) {
    throw hw::InputError(fmt::format("{}: {}", option, error.what()));
  }
}

agg::Conditions conditions_of(const Options& options) {
  agg::Conditions conditions;
  const std::uint64_t size = quantity("--size", options.size, hw::parse_bytes);
  if (size == 0 || size > most_bytes) {
    throw hw::InputError(fmt::format("--size {}: 1 B to 1 PB are allowed", options.size));
  }
  conditions.update.bytes = static_cast<double>(size);
  const hw::Capacity memory = quantity("--memory", options.memory, hw::parse_capacity);
  if (!memory.is_unlimited()) {
    if (memory.bytes() == 0) throw hw::InputError("--memory 0: an aggregator without memory adds nothing");
    conditions.memory = static_cast<double>(memory.bytes());
  }
  conditions.contention = choice("--contention", options.contention, {"access_only", "all_links"}) == 0
                              ? agg::Contention::access_only
                              : agg::Contention::all_links;
  conditions.start = choice("--start", options.start, {"arrival_aligned", "simultaneous"}) == 0
                         ? agg::Start::arrival_aligned
                         : agg::Start::simultaneous;
  return conditions;
}

void run_schedule(const Options& options) {
  const agg::Conditions conditions = conditions_of(options);
  ScheduleReport report;
  report.objective = choice("--objective", options.objective, {"exact", "contraction"}) == 0
                         ? agg::Objective::exact
                         : agg::Objective::contraction;
  std::optional<hw::Bandwidth> bandwidth;
  if (options.bandwidth) bandwidth = quantity("--bandwidth", *options.bandwidth, hw::parse_bandwidth);
  agg::Topology topology = agg::load_topology(options.topology);
  if (bandwidth) topology = topology.with_bandwidth(*bandwidth);
  std::optional<agg::ScheduleFile> given;
  if (options.rounds) given = agg::load_schedule(*options.rounds, topology);
  std::optional<OutputFile> json;
  if (options.json) {
    std::vector<NamedFile> inputs = {{"the topology", options.topology}};
    if (options.rounds) inputs.push_back({"--rounds", *options.rounds});
    refuse_shared_files(inputs, {{"--json", *options.json}});
    json.emplace("--json", *options.json);
  }

  agg::Timer timer(topology, conditions);
  if (given) {
    for (std::vector<agg::Round>& rounds : given->schedules) {
      report.candidates.push_back(agg::assess(timer, std::move(rounds)));
    }
    agg::rank(report.candidates, report.objective);
  } else {
    report.candidates = agg::search(timer, report.objective);
  }
  report.crossover_bytes = agg::crossover(timer, report.candidates);
  // What goes to standard output on request is to be read by a program, so the summary makes room for it.
  fmt::print(options.json == "-" ? stderr : stdout, "{}", to_text(report, timer));
  if (json) json->write(agg::to_json(topology, report.candidates, report.best, report.crossover_bytes));
}

}  // namespace

void add_schedule_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "schedule", "Find and time schedules by which sites average over a WAN with aggregators");
  command
      ->add_option("TOPOLOGY", options->topology,
                   "Sites and links, YAML or CSV, such as tb/configs/nine_city.yaml")
      ->required();
  command->add_option("--memory", options->memory, "Memory of each aggregator, a size (88.2MB) or unlimited")
      ->capture_default_str();
  command
      ->add_option("--size", options->size,
                   "Bytes of one site's update, FP16, added up in FP32: a byte takes two of memory")
      ->capture_default_str();
  command->add_option("--bandwidth", options->bandwidth,
                      "Of every link and site (10Gb/s); without it each link's own holds");
  command
      ->add_option("--contention", options->contention,
                   "access_only: streams meet only on the sites' own lines; all_links: they share the links "
                   "they cross")
      ->capture_default_str();
  command
      ->add_option("--start", options->start,
                   "arrival_aligned: sources start so that their streams arrive together as far as can be; "
                   "simultaneous")
      ->capture_default_str();
  command
      ->add_option("--objective", options->objective,
                   "exact: least time to the exact average; contraction: most contraction per second")
      ->capture_default_str();
  command->add_option("--rounds", options->rounds,
                      "Time the schedules of this file, as --json writes it, instead of searching");
  command->add_option("--json", options->json,
                      "Write the schedules to this file, for `run --schedule` too, - for standard output");
  command->callback([options, &exit_code] {
    run_schedule(*options);
    exit_code = 0;
  });
}

}  // namespace fredsim::tb
