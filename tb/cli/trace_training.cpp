#include "tb/cli/trace_training.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>

#include "accel/placement/placement.h"
#include "hw/core/error.h"
#include "hw/core/quantity.h"
#include "tb/cli/model_file.h"
#include "tb/cli/trace_command.h"
#include "tb/cli/trace_output.h"
#include "tb/plan/placement_cost.h"
#include "traces/format/keys.h"
#include "traces/generate/training.h"

namespace fredsim::tb {
namespace {

struct TrainingGiven {
  std::string output, model, bucket, mode = "stationary", placement = "mp-pp-dp", config;
  std::uint32_t zero = 0;
  bool no_overlap = false;
  trace::TrainingPattern pattern;
};

std::optional<accel::Placement> listed(const std::string& text) {
  accel::Placement placement;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    std::uint32_t npu = 0;
    const auto [after, error] = std::from_chars(at, end, npu);
    if (error != std::errc()) return std::nullopt;
    placement.push_back(npu);
    if (after == end) return placement;
    if (*after != ',') return std::nullopt;
    at = after + 1;
  }
}

/// The cheapest placement for the bytes that each class sends.
accel::Placement searched(const TrainingGiven& options, const trace::TrainingPattern& pattern,
                          const accel::Strategy& strategy) {
  if (options.config.empty()) {
    throw hw::InputError("--placement search needs the system that it is for: --config CONFIG");
  }
  const ConfiguredSystem system = configured_system(options.config);
  if (strategy.workers() > system.npus) {
    throw hw::InputError(fmt::format("MP({})-PP({})-DP({}) needs {} NPUs, and {} has {}", strategy.mp,
                                     strategy.pp, strategy.dp, strategy.workers(), options.config,
                                     system.npus));
  }
  trace::TrainingPattern once = pattern;
  once.iterations = 1;
  once.placement.clear();
  const ClassLoads loads = loads_of(trace::generate_training(once));
  return accel::search_placement(strategy, system.npus, [&](const accel::Placement& placement) {
    return placement_cost(system.options, strategy, placement, loads);
  });
}

accel::Placement placement_of(const TrainingGiven& options, const trace::TrainingPattern& pattern) {
  const accel::Strategy strategy{pattern.mp, pattern.pp, pattern.dp};
  const std::vector<std::string>& orders = accel::placement_orders();
  if (options.placement == "search") return searched(options, pattern, strategy);
  if (!options.config.empty()) throw hw::InputError("--config: only --placement search looks at a system");
  if (std::find(orders.begin(), orders.end(), options.placement) != orders.end())
    return accel::place_in_order(strategy, options.placement);
  if (const std::optional<accel::Placement> placement = listed(options.placement)) return *placement;
  throw hw::InputError(
      fmt::format("--placement: \"{}\" is not available; allowed: {}, search, or the NPUs of all "
                  "workers like 0,1,2,3",
                  options.placement, fmt::join(orders, ", ")));
}

void generate(const TrainingGiven& options) {
  trace::TrainingPattern pattern = options.pattern;
  pattern.model = load_model(options.model);
  if (options.mode == "streaming") {
    pattern.mode = trace::TrainingMode::streaming;
  } else if (options.mode != "stationary") {
    throw hw::InputError(trace::unknown("--mode", options.mode, {"stationary", "streaming"}));
  }
  if (options.zero != 0 && options.zero != 2)
    throw hw::InputError(fmt::format("--zero: stage {} is not available; allowed: 0, 2", options.zero));
  pattern.zero2 = options.zero == 2;
  pattern.overlap = !options.no_overlap;
  if (!options.bucket.empty()) {
    try {
      pattern.bucket = hw::parse_bytes(options.bucket);
    } catch (const hw::InputError& error) {
      throw hw::InputError(fmt::format("--bucket: {}", error.what()));
    }
  }
  trace::memory_of(pattern);  // refuses sizes that a placement cannot be made of
  pattern.placement = placement_of(options, pattern);
  write_trace(trace::generate_training(pattern), options.output);
}

}  // namespace

void add_trace_training(CLI::App& generate_command) {
  const auto options = std::make_shared<TrainingGiven>();
  CLI::App* command =
      generate_command.add_subcommand("training", "Iterations of training a neural network, 3D-parallel");
  trace::TrainingPattern& pattern = options->pattern;
  command->add_option("-o,--output", options->output, "Trace file to write, - for standard output")
      ->required();
  command->add_option("--name", pattern.name, "Name of the workload");
  command
      ->add_option("--model", options->model,
                   "resnet152, transformer17b, gpt3, transformer1t, or a YAML file")
      ->required();
  command->add_option("--mp", pattern.mp, "Model-parallel size")->capture_default_str();
  command->add_option("--pp", pattern.pp, "Pipeline-parallel size")->capture_default_str();
  command->add_option("--dp", pattern.dp, "Data-parallel size")->capture_default_str();
  command->add_option("--samples", pattern.samples, "Samples of an iteration for each data-parallel replica")
      ->capture_default_str();
  command->add_option("--microbatches", pattern.microbatches, "Parts that these go through the pipeline in")
      ->capture_default_str();
  command->add_option("--iterations", pattern.iterations, "Iterations")->capture_default_str();
  command
      ->add_option("--mode", options->mode, "stationary: weights stay; streaming: from the I/O controllers")
      ->capture_default_str();
  command
      ->add_option("--zero", options->zero, "2: gradients and optimizer are sharded over DP peers (ZeRO-2)")
      ->capture_default_str();
  command->add_flag("--no-overlap", options->no_overlap, "Gradients wait for the end of the backward pass");
  command->add_option(
      "--bucket", options->bucket,
      "Gradients of layers go together up to a size, like \"25 MB\" (default: layer by layer)");
  command->add_option("--efficiency", pattern.efficiency, "Part of npu.flops that an NPU gets done")
      ->capture_default_str();
  command
      ->add_option("--placement", options->placement,
                   "Dimensions by distance, like mp-pp-dp; the NPUs of all workers, like 0,2,1,3; or search")
      ->capture_default_str();
  command->add_option("--config", options->config, "The system for which --placement search searches");
  command->callback([options] { generate(*options); });
}

}  // namespace fredsim::tb
