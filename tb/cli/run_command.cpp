#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "tb/cli/command.h"
#include "tb/cli/output_file.h"
#include "tb/cli/progress.h"
#include "tb/cli/shared_files.h"
#include "tb/configuration/configuration.h"
#include "tb/systems/plan_options.h"
#include "tb/systems/simulation.h"
#include "tb/timeline/timeline_json.h"
#include "tb/wan/wan_simulation.h"
#include "tb/wan/wan_timeline.h"
#include "traces/chakra/load.h"

namespace fredsim::tb {
namespace {

struct Options {
  std::string configuration;
  std::optional<std::string> trace;
  std::optional<std::string> schedule;
  std::vector<std::string> sets;
  std::optional<std::string> seed;
  std::optional<std::string> json;
  std::optional<std::string> intervals;
  std::optional<std::string> until;
  bool histograms = false;
  std::optional<std::string> timeline;
  std::vector<std::string> timeline_flows;
  std::optional<std::string> timeline_stalls;
  bool no_data = false;
  bool monitors = false;
  std::optional<std::string> waveform;
  std::vector<std::string> globs;
  std::optional<std::string> wave_from, wave_to, wave_on, wave_last, wave_limit;
};

const std::string stall_prefix = "stall:";
const std::string operation_prefix = "op:";

template <class Parse>
auto quantity(const char* option, const std::optional<std::string>& text, Parse parse)
    -> std::optional<decltype(parse(*text))> {
  if (!text) return std::nullopt;
  try {
    return parse(*text);
  } catch (const hw::InputError& error) {
    throw hw::InputError(fmt::format("{} {}: {}", option, *text, error.what()));
  }
}

std::optional<hw::WaveformOptions> waveform_options(const Options& options) {
  if (!options.waveform) {
    if (!options.globs.empty() || options.wave_from || options.wave_to || options.wave_on ||
        options.wave_last || options.wave_limit) {
      throw hw::InputError(
          "--wave and --wave-... say what goes into a waveform: give its file with --vcd FILE");
    }
    return std::nullopt;
  }
  hw::WaveformOptions waveform;
  waveform.path = *options.waveform;
  waveform.globs = options.globs;
  waveform.from = quantity("--wave-from", options.wave_from, hw::parse_time);
  waveform.to = quantity("--wave-to", options.wave_to, hw::parse_time);
  waveform.last = quantity("--wave-last", options.wave_last, hw::parse_time);
  waveform.limit_bytes = quantity("--wave-limit", options.wave_limit, hw::parse_bytes);
  waveform.on = options.wave_on;
  if (waveform.on && waveform.on->rfind(stall_prefix, 0) == 0) waveform.on = "stall";
  return waveform;
}

std::optional<hw::Timeline> timeline_of(const Options& options) {
  if (!options.timeline) {
    if (!options.timeline_flows.empty() || options.timeline_stalls) {
      throw hw::InputError(
          "--timeline-flow and --timeline-stalls say what goes into a timeline: give its file with "
          "--timeline "
          "FILE");
    }
    return std::nullopt;
  }
  hw::Timeline::Options kept;
  kept.flows = options.timeline_flows;
  if (const auto limit = quantity("--timeline-stalls", options.timeline_stalls, hw::parse_time))
    kept.stalls = *limit;
  return hw::Timeline(std::move(kept));
}

/// The limit of `--wave-on stall:TIME`. Throws InputError for an event that no run has.
std::optional<hw::Time> stall_limit(const Options& options, const hw::Workload& workload) {
  if (!options.wave_on) return std::nullopt;
  const std::string& event = *options.wave_on;
  if (event.rfind(stall_prefix, 0) == 0)
    return quantity("--wave-on stall:TIME", event.substr(stall_prefix.size()), hw::parse_time);
  if (event == "wrong-data") return std::nullopt;
  if (event.rfind(operation_prefix, 0) != 0) {
    throw hw::InputError(fmt::format(
        "--wave-on {}: no such event; op:ID (the operation starts), stall:TIME and wrong-data are allowed",
        event));
  }
  const std::string id = event.substr(operation_prefix.size());
  std::vector<std::string> known;
  for (const hw::Operation& operation : workload.operations) {
    if (operation.id == id) return std::nullopt;
    known.push_back(operation.id);
  }
  throw hw::InputError(
      fmt::format("--wave-on {}: the trace has no operation {}{}", event, id, hw::did_you_mean(id, known)));
}

/// Beside the result file, `r.json` has `r.intervals.csv`. Throws InputError without one.
std::string intervals_path(const Options& options) {
  if (!options.json || options.json == "-") {
    throw hw::InputError(
        "--intervals writes a CSV beside the result file: give that with --json FILE (r.json gets "
        "r.intervals.csv)");
  }
  return std::filesystem::path(*options.json).replace_extension(".intervals.csv").string();
}

/// An output over an input or another output would cost the user a file.
void check_files(const Options& options) {
  std::vector<NamedFile> inputs;
  if (options.trace) inputs = trace_files(*options.trace);
  if (options.schedule) inputs.push_back({"the schedule", *options.schedule});
  inputs.push_back({"the configuration", options.configuration});
  std::vector<NamedFile> outputs;
  if (options.waveform) {
    outputs.push_back({"--vcd", *options.waveform});
    outputs.push_back(
        {"--vcd", std::filesystem::path(*options.waveform).replace_extension(".gtkw").string()});
  }
  if (options.json) outputs.push_back({"--json", *options.json});
  if (options.intervals) outputs.push_back({"--intervals", intervals_path(options)});
  if (options.timeline) outputs.push_back({"--timeline", *options.timeline});
  refuse_shared_files(std::move(inputs), outputs);
}

std::string in_shell_quotes(const std::string& text) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("_-+=:,./@%", c);
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// What gives the same results again, without what is written where.
std::string command_of(const Options& options) {
  std::string text = "fredsim run " + in_shell_quotes(options.configuration);
  const auto add = [&](const char* option, const std::optional<std::string>& value) {
    if (value) text += fmt::format(" {} {}", option, in_shell_quotes(*value));
  };
  add("--trace", options.trace);
  add("--schedule", options.schedule);
  for (const std::string& set : options.sets) add("--set", set);
  add("--seed", options.seed);
  add("--until", options.until);
  if (options.no_data) text += " --no-data";
  if (options.histograms) text += " --histograms";
  return text;
}

template <class AnyResult>
nlohmann::ordered_json result_json(const AnyResult& result, const Options& options) {
  nlohmann::ordered_json json = to_json(result);
  json["command"] = command_of(options);
  return json;
}

int run_wan(const Options& options, const Configuration& configuration) {
  if (options.trace) throw hw::InputError("--trace: system: wan replays a --schedule, not a trace");
  if (!options.schedule) {
    throw hw::InputError("--schedule is required with system: wan; `fredsim schedule` writes one");
  }
  if (options.monitors) {
    throw hw::InputError(
        "--monitors: lines of a WAN lose packets and give no credits; there is nothing to check");
  }
  if (options.wave_on) throw hw::InputError("--wave-on: a WAN has no such events");
  WanPlan plan = plan_wan(configuration, *options.schedule);
  WanOptions wan_options;
  wan_options.data = !options.no_data;
  wan_options.until = quantity("--until", options.until, hw::parse_time);
  wan_options.waveform = waveform_options(options);
  wan_options.histograms = options.histograms;
  if (!options.timeline_flows.empty() || options.timeline_stalls) {
    throw hw::InputError(
        "--timeline-flow, --timeline-stalls: the timeline of a WAN has rounds and computation only");
  }
  check_files(options);
  std::optional<OutputFile> json;
  if (options.json) json.emplace("--json", *options.json);
  std::optional<OutputFile> timeline;
  if (options.timeline) timeline.emplace("--timeline", *options.timeline);
  WanSimulation simulation(configuration, std::move(plan), wan_options);
  const WanResult& result = simulation.run();
  std::ostream& people = options.json == "-" ? std::cerr : std::cout;
  people << summary(result);
  const hw::WaveformSummary& waveform = simulation.waveform();
  if (waveform.written) {
    people << fmt::format("waveform  {}: {} signals, {} changes\n", *options.waveform, waveform.signals,
                          waveform.changes);
  }
  if (json) json->write(result_json(result, options));
  if (timeline) timeline->write(timeline_json(result));
  if (!waveform.problem.empty()) std::cerr << "fredsim: warning: " << waveform.problem << '\n';
  return exit_code(result.status);
}

int run(const Options& options) {
  std::vector<std::string> sets = options.sets;
  if (options.seed) sets.push_back(fmt::format("seed={}", *options.seed));
  const Configuration configuration = load_configuration(options.configuration, sets);
  if (configuration.system == SystemKind::wan) return run_wan(options, configuration);
  if (options.schedule) throw hw::InputError("--schedule is for system: wan; this one replays a --trace");
  if (!options.trace) throw hw::InputError("--trace is required");
  hw::Workload workload = trace::load(*options.trace, configuration.npus());

  SimulationOptions simulation_options;
  simulation_options.data = !options.no_data;
  simulation_options.monitors = options.monitors;
  simulation_options.until = quantity("--until", options.until, hw::parse_time);
  simulation_options.waveform = waveform_options(options);
  simulation_options.stall_limit = stall_limit(options, workload);
  simulation_options.histograms = options.histograms;
  std::optional<hw::Timeline> timeline = timeline_of(options);
  if (timeline) simulation_options.timeline = &*timeline;
  Progress progress;
  simulation_options.progress = [&progress](double share) { progress.show(share); };
  check_files(options);
  std::optional<OutputFile> json;
  if (options.json) json.emplace("--json", *options.json);
  std::optional<OutputFile> timeline_file;
  if (options.timeline) timeline_file.emplace("--timeline", *options.timeline);
  std::optional<OutputFile> intervals;
  std::ostringstream interval_text;
  if (options.intervals) {
    simulation_options.interval = *quantity("--intervals", options.intervals, hw::parse_time);
    if (simulation_options.interval == hw::Time()) {
      throw hw::InputError("--intervals " + *options.intervals + ": an interval takes time");
    }
    intervals.emplace("--intervals", intervals_path(options));
    simulation_options.intervals = &interval_text;
  }

  Simulation simulation(configuration, std::move(workload), simulation_options);
  const Result& result = simulation.run();

  // What goes to standard output on request is to be read by a program, so the summary makes room for it.
  std::ostream& people = options.json == "-" ? std::cerr : std::cout;
  people << summary(result);
  if (result.waveform.written) {
    people << fmt::format("waveform  {}: {} signals, {} changes\n", *options.waveform,
                          result.waveform.signals, result.waveform.changes);
  }
  if (json) json->write(result_json(result, options));
  if (timeline_file) timeline_file->write(timeline_json(*timeline, result.simulated));
  if (intervals) intervals->write(interval_text.str());
  if (!result.waveform.problem.empty()) std::cerr << "fredsim: warning: " << result.waveform.problem << '\n';
  return exit_code(result.status);
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("run", "Replay a workload, check every value, write results and waveforms");
  command->add_option("CONFIG", options->configuration, "Configuration of the system (YAML)")->required();
  command->add_option("--trace", options->trace,
                      "Workload trace (JSON Lines), or the prefix of Chakra files PREFIX.N.et");
  command->add_option("--schedule", options->schedule,
                      "Schedule to replay on system: wan, as `fredsim schedule --json` writes it");
  command->add_option("--set", options->sets, "Override a parameter, key=value; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--seed", options->seed, "Where random numbers start, as --set seed=N");
  command->add_option("--json", options->json, "Write the results to this file; - is standard output");
  command->add_option("--intervals", options->intervals,
                      "Write link use, occupancy and stalls of each interval of this length, such as 1us, to "
                      "a CSV beside the result file: r.json gets r.intervals.csv");
  command->add_option("--until", options->until, "Stop at this simulated time, such as 10us");
  command->add_flag("--histograms", options->histograms,
                    "Add to the results how long each buffer stood at which level");
  command->add_option("--timeline", options->timeline,
                      "Write what took place when, operations at every NPU, to this file for Perfetto or "
                      "chrome://tracing (JSON)");
  command
      ->add_option("--timeline-flow", options->timeline_flows,
                   "Put the packets of flows whose id matches this glob into the timeline; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--timeline-stalls", options->timeline_stalls,
                      "Put stalls of this length and more into the timeline, such as 10ns");
  command->add_flag("--no-data", options->no_data,
                    "Timing only: packets carry no data and nothing is verified");
  command->add_flag("--monitors", options->monitors, "Check the packet protocol at both ends of every link");
  command->add_option("--vcd", options->waveform,
                      "Write a waveform, .vcd or .fst, and beside it a GTKWave layout, .gtkw");
  command
      ->add_option("--wave", options->globs,
                   "Record signals whose path matches this glob only; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--wave-from", options->wave_from, "Record from this simulated time on");
  command->add_option("--wave-to", options->wave_to, "Record up to this simulated time");
  command->add_option(
      "--wave-on", options->wave_on,
      "Record from an event on: op:ID (the operation starts), stall:TIME (a packet waits longer), "
      "wrong-data");
  command->add_option("--wave-last", options->wave_last, "Keep only the last stretch of this length");
  command->add_option("--wave-limit", options->wave_limit, "Stop recording at this size, such as 100MB");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace fredsim::tb
