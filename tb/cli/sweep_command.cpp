#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "hw/core/error.h"
#include "tb/cli/command.h"
#include "tb/configuration/value_text.h"
#include "tb/sweep/local_engine.h"
#include "tb/sweep/sweep.h"

namespace fredsim::tb {
namespace {

struct Options {
  std::string sweep;
  std::optional<std::string> jobs;
  std::optional<std::string> out;
  bool resume = false;
};

std::size_t jobs_of(const Options& options) {
  constexpr std::uint64_t most = 4096;
  if (!options.jobs) return std::max(1U, std::thread::hardware_concurrency());
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

int run(const Options& options) {
  const std::size_t jobs = jobs_of(options);
  const SweepFile sweep = load_sweep(options.sweep);
  const SweepPlan plan = plan_sweep(sweep, FREDSIM_VERSION);
  const std::string out =
      options.out.value_or(std::filesystem::path(options.sweep).stem().string() + "-sweep");
  SweepDatabase database(out, options.resume);
  LocalEngine engine(this_program(), out, jobs);
  Explorer explorer(database, engine);
  int exit_code = 0;
  fmt::print("{}", run_sweep(sweep, plan, explorer, FREDSIM_VERSION, exit_code));
  if (explorer.stopped())
    fmt::print(stderr, "fredsim: the sweep was interrupted; --resume goes on with it\n");
  return exit_code;
}

}  // namespace

void add_sweep_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Run many configurations, collect their results in a database, find the best");
  command->add_option("SWEEP", options->sweep, "What varies, what is sought (YAML)")->required();
  command->add_option("--jobs", options->jobs, "Runs at a time (default: as many as there are processors)");
  command->add_option("--out", options->out,
                      "Folder for sweep.sqlite and points.csv (default: the sweep file's name with -sweep)");
  command->add_flag("--resume", options->resume,
                    "Go on with the sweep in the folder: finished points are kept");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace fredsim::tb
