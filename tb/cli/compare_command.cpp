#include <fmt/format.h>

#include <memory>
#include <optional>

#include "hw/core/error.h"
#include "tb/cli/command.h"
#include "tb/cli/output_file.h"
#include "tb/cli/shared_files.h"
#include "tb/compare/comparison_text.h"
#include "tb/compare/differences.h"
#include "tb/compare/wave_diff.h"
#include "tb/configuration/value_text.h"

namespace fredsim::tb {
namespace {

struct CompareOptions {
  std::string a, b;
  std::string tolerance = "0";
  std::vector<std::string> ignored;
  std::optional<std::string> json;
};

struct WaveOptions {
  std::string a, b;
  std::vector<std::string> globs;
};

/// "0.01" or "1%".
double tolerance_of(const std::string& text) {
  const bool percent = !text.empty() && text.back() == '%';
  try {
    const double value = parse_real(percent ? text.substr(0, text.size() - 1) : text);
    if (!(value >= 0)) throw hw::InputError(text + " is negative");
    return percent ? value / 100 : value;
  } catch (const hw::InputError& error) {
    throw hw::InputError(
        fmt::format("--tolerance: {}; allowed: a share from 0 on, as 0.01 or 1%", error.what()));
  }
}

int run_compare(const CompareOptions& options) {
  const double tolerance = tolerance_of(options.tolerance);
  const auto a = load_result(options.a), b = load_result(options.b);
  std::optional<OutputFile> json;
  if (options.json) {
    refuse_shared_files({{"A", options.a}, {"B", options.b}}, {{"--json", *options.json}});
    json.emplace("--json", *options.json);
  }
  const Comparison comparison = compare(a, b, options.ignored);
  fmt::print(options.json == "-" ? stderr : stdout, "{}", to_text(comparison, tolerance));
  if (json) json->write(to_json(comparison));
  return comparison.largest_effect() > tolerance ? 1 : 0;
}

int run_wave_diff(const WaveOptions& options) {
  const WaveDifference difference = wave_diff(options.a, options.b, options.globs);
  fmt::print("{}", to_text(difference));
  return difference.equal() ? 0 : 1;
}

}  // namespace

void add_compare_commands(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* compare = app.add_subcommand(
      "compare", "What differs between two results, by size of effect; exit 1 above a tolerance");
  compare->add_option("A", options->a, "Result of the run to compare with, as --json writes it")->required();
  compare->add_option("B", options->b, "Result of the other run")->required();
  compare
      ->add_option("--tolerance", options->tolerance,
                   "By how much a value of B may differ from A's, relative to that: 0.01 or 1%")
      ->capture_default_str();
  compare
      ->add_option("--ignore", options->ignored,
                   "Leave out results whose path fits this glob, as links[*].stalled_ns.*; may be repeated")
      ->allow_extra_args(false);
  compare->add_option("--json", options->json, "Write all differences to this file; - is standard output");
  compare->callback([options, &exit_code] { exit_code = run_compare(*options); });

  const auto waves = std::make_shared<WaveOptions>();
  CLI::App* wave_diff = app.add_subcommand(
      "wave-diff", "First time and signals at which two waveforms part; exit 1 if they do");
  wave_diff->add_option("A", waves->a, "Waveform (.vcd)")->required();
  wave_diff->add_option("B", waves->b, "Waveform (.vcd)")->required();
  wave_diff
      ->add_option("--wave", waves->globs, "Compare signals whose path fits this glob only; may be repeated")
      ->allow_extra_args(false);
  wave_diff->callback([waves, &exit_code] { exit_code = run_wave_diff(*waves); });
}

}  // namespace fredsim::tb
