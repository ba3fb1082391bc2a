#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "hw/core/error.h"
#include "tb/cli/command.h"
#include "tb/configuration/value_text.h"
#include "tb/sweep/collect_engine.h"
#include "tb/sweep/local_engine.h"
#include "tb/sweep/slurm_engine.h"
#include "tb/sweep/sweep.h"

namespace fredsim::tb {
namespace {

struct SweepGiven {
  std::string sweep;
  std::optional<std::string> jobs;
  std::optional<std::string> out;
  bool resume = false;
  bool list = false;
  std::optional<std::string> collect;
  std::optional<std::string> engine;
  std::vector<std::string> slurm;
};

/// Nothing if none are said.
std::optional<std::size_t> jobs_of(const SweepGiven& options) {
  constexpr std::uint64_t most = 4096;
  if (!options.jobs) return std::nullopt;
  std::uint64_t jobs = 0;
  try {
    jobs = parse_integer(*options.jobs);
  } catch (const hw::InputError& error) {
    throw hw::InputError(fmt::format("--jobs: {}; allowed: 1 to {}", error.what(), most));
  }
  if (jobs < 1 || jobs > most)
    throw hw::InputError(fmt::format("--jobs {}: is out of range; allowed: 1 to {}", jobs, most));
  return jobs;
}

/// Of this very program, by which every point is run.
std::string this_program() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

void check_options(const SweepGiven& options) {
  if (options.list && (options.collect || options.engine || options.jobs || options.resume))
    throw hw::InputError(
        "--list prints commands and runs nothing; of the other options it goes with --out only");
  if (options.collect && (options.out || options.engine || options.jobs))
    throw hw::InputError(
        "--collect DIR takes what the commands of --list --out DIR have left, and runs nothing");
  if (options.engine && *options.engine != "local" && *options.engine != "slurm")
    throw hw::InputError(fmt::format("--engine {}: local, slurm are allowed", *options.engine));
  if (!options.slurm.empty() && options.engine != "slurm")
    throw hw::InputError("--slurm-option has no effect without --engine slurm");
}

std::unique_ptr<Engine> engine_of(const SweepGiven& options, const std::string& out) {
  const std::optional<std::size_t> jobs = jobs_of(options);
  if (options.collect) return std::make_unique<CollectEngine>(JobFiles(out));
  if (options.engine == "slurm")
    return std::make_unique<SlurmEngine>(this_program(), JobFiles(out), jobs.value_or(0), options.slurm);
  return std::make_unique<LocalEngine>(this_program(), out,
                                       jobs.value_or(std::max(1U, std::thread::hardware_concurrency())));
}

int run_sweep(const SweepGiven& options) {
  check_options(options);
  const std::string out =
      options.collect ? *options.collect
                      : options.out.value_or(std::filesystem::path(options.sweep).stem().string() + "-sweep");
  const std::unique_ptr<Engine> engine = engine_of(options, out);
  const SweepFile sweep = load_sweep(options.sweep);
  const SweepPlan plan = plan_sweep(sweep, FREDSIM_VERSION);
  if (options.list) {
    for (const Point* point : plan.all()) fmt::print("{}\n", JobFiles(out).command(this_program(), *point));
    return 0;
  }
  SweepDatabase database(out, options.resume || options.collect);
  Explorer explorer(database, *engine);
  int exit_code = 0;
  fmt::print("{}", run_sweep(sweep, plan, explorer, FREDSIM_VERSION, exit_code));
  if (explorer.stopped())
    fmt::print(stderr, "fredsim: the sweep was interrupted; --resume goes on with it\n");
  return exit_code;
}

}  // namespace

void add_sweep_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<SweepGiven>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Run many configurations, collect their results in a database, find the best");
  command->add_option("SWEEP", options->sweep, "What varies, what is sought (YAML)")->required();
  command->add_option("--jobs", options->jobs, "Runs at a time (default: as many as there are processors)");
  command->add_option("--out", options->out,
                      "Folder for sweep.sqlite and points.csv (default: the sweep file's name with -sweep)");
  command->add_flag("--resume", options->resume,
                    "Go on with the sweep in the folder: finished points are kept");
  command->add_flag("--list", options->list,
                    "Print one command a point, for any batch system, and run nothing");
  command->add_option("--collect", options->collect,
                      "Take the results that the commands of --list have left in this folder");
  command->add_option("--engine", options->engine,
                      "What runs the points: local (default), or slurm, as arrays of jobs");
  command
      ->add_option("--slurm-option", options->slurm,
                   "An option for sbatch without its dashes, such as partition=NAME; may be repeated")
      ->allow_extra_args(false);
  command->callback([options, &exit_code] { exit_code = run_sweep(*options); });
}

}  // namespace fredsim::tb
