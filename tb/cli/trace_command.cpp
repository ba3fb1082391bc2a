#include "tb/cli/trace_command.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "hw/core/error.h"
#include "tb/cli/command.h"
#include "tb/cli/output_file.h"
#include "tb/cli/shared_files.h"
#include "tb/cli/trace_generate.h"
#include "tb/cli/trace_output.h"
#include "traces/chakra/import.h"
#include "traces/chakra/load.h"
#include "traces/format/check.h"
#include "traces/format/read.h"
#include "traces/format/summary.h"

namespace fredsim::tb {
namespace {

struct Options {
  std::string file;
  std::string config;
  std::optional<std::string> json;
  std::string prefix;
  std::string output;
};

/// Every reason why the trace cannot run, one a line; a trace file's all at once, an import's as far as it
/// came.
void check(const Options& options, int& exit_code) {
  std::optional<ConfiguredSystem> system;
  std::optional<std::uint32_t> system_npus;
  if (!options.config.empty()) {
    system = configured_system(options.config);
    system_npus = system->npus;
  }
  trace::refuse_single_rank(options.file);
  trace::ReadResult result;
  if (std::filesystem::exists(options.file)) {
    result = trace::read(options.file, system_npus);
  } else {
    result.workload = trace::load(options.file, system_npus);
  }
  if (!result.problems.empty()) {
    for (const trace::Problem& problem : result.problems) fmt::print("{}\n", trace::to_string(problem));
    const std::size_t reasons = result.problems.size();
    fmt::print("{}: cannot run, for {} reason{}\n", options.file, reasons, reasons == 1 ? "" : "s");
    exit_code = 2;
    return;
  }
  if (system) system->plan(result.workload);
  fmt::print("{}: can run: {}\n", options.file, trace::size_text(result.workload));
}

void info(const Options& options) {
  if (options.json) refuse_shared_files(trace_files(options.file), {{"--json", *options.json}});
  std::optional<OutputFile> json;
  if (options.json) json.emplace("--json", *options.json);
  const hw::Workload workload = trace::load(options.file);
  const trace::Summary summary = trace::summarize(workload);
  fmt::print(options.json == "-" ? stderr : stdout, "{}", trace::summary_text(workload, summary));
  if (json) json->write(trace::summary_json(workload, summary));
}

void import(const Options& options) {
  refuse_shared_files(trace_files(options.prefix), {{"-o", options.output}});
  const hw::Workload workload = trace::import_chakra(options.prefix);
  write_trace(workload, options.output);
}

}  // namespace

void add_trace_command(CLI::App& app, int& exit_code) {
  CLI::App* trace = app.add_subcommand("trace", "Check, describe, import and generate workload traces");
  trace->require_subcommand(1);
  const auto options = std::make_shared<Options>();

  CLI::App* check_command =
      trace->add_subcommand("check", "Say whether a trace can run, and every reason why not");
  check_command->add_option("FILE", options->file, "Trace file, or prefix of Chakra files")->required();
  check_command->add_option("--config", options->config, "Configuration of the system it is to run on");
  check_command->callback([options, &exit_code] { check(*options, exit_code); });

  CLI::App* info_command =
      trace->add_subcommand("info", "Operations, bytes by type and class, groups, depth of dependencies");
  info_command->add_option("FILE", options->file, "Trace file, or prefix of Chakra files")->required();
  info_command->add_option("--json", options->json,
                           "Write the figures to this file as JSON, - for standard output");
  info_command->callback([options] { info(*options); });

  CLI::App* import_command =
      trace->add_subcommand("import", "Turn Chakra execution traces into a trace file");
  import_command->add_option("PREFIX", options->prefix, "The files are PREFIX.0.et, PREFIX.1.et, ...")
      ->required();
  import_command->add_option("-o,--output", options->output, "Trace file to write, - for standard output")
      ->required();
  import_command->callback([options] { import(*options); });

  add_trace_generate_command(*trace);
}

}  // namespace fredsim::tb
