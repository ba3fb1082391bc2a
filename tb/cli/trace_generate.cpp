#include "tb/cli/trace_generate.h"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <string>
#include <vector>

#include "hw/core/error.h"
#include "tb/cli/trace_output.h"
#include "tb/cli/trace_training.h"
#include "traces/format/keys.h"
#include "traces/generate/generate.h"

namespace fredsim::tb {
namespace {

/// What every pattern takes, as it is written on the command line.
struct GenerateOptions {
  std::string output;
  std::string name;
  std::string dtype, op, traffic_class;
  std::vector<std::string> bytes, groups;
  std::string mp_bytes, pp_bytes, dp_bytes, compute, max_bytes;
  std::uint32_t root = 0;
  trace::CollectivePattern collective;
  trace::GroupsPattern parallel;
  trace::PipelinePattern pipeline;
  trace::RandomPattern random;
};

/// Says which option a value of the wrong form belongs to.
template <class Parse>
auto value_of(const char* option, const std::string& text, Parse parse) -> decltype(parse(text)) {
  try {
    return parse(text);
  } catch (const hw::InputError& error) {
    throw hw::InputError(fmt::format("{}: {}", option, error.what()));
  }
}

std::uint64_t bytes_of(const char* option, const std::string& text) {
  return text.empty() ? 0 : value_of(option, text, [](const std::string& t) { return hw::parse_bytes(t); });
}

template <class Parse>
auto name_of(const char* option, const std::string& text, const std::vector<std::string>& known,
             Parse parse) {
  const auto value = parse(text);
  if (!value) throw hw::InputError(trace::unknown(option, text, known));
  return *value;
}

std::optional<hw::DType> dtype_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return name_of("--dtype", text, {"fp16", "bf16", "fp32", "int32"}, hw::parse_dtype);
}

/// "0,2,5".
hw::Group group_of(const std::string& text) {
  hw::Group group;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    std::uint32_t npu = 0;
    const auto [after, error] = std::from_chars(at, end, npu);
    if (error != std::errc()) break;
    group.emplace_back(npu);
    if (after == end) return group;
    if (*after != ',') break;
    at = after + 1;
  }
  throw hw::InputError(fmt::format("--group: \"{}\" is no list of NPUs like 0,2,5", text));
}

void add_common(CLI::App* command, GenerateOptions& options) {
  command->add_option("-o,--output", options.output, "Trace file to write, - for standard output")
      ->required();
  command->add_option("--name", options.name, "Name of the workload");
}

void add_collective(CLI::App* generate, hw::OperationType type) {
  const auto options = std::make_shared<GenerateOptions>();
  const std::string name(hw::to_string(type));
  CLI::App* command = generate->add_subcommand(name, fmt::format("One {} or many", name));
  const auto takes = [&](const char* key) { return trace::need(type, key) != trace::Need::not_taken; };
  trace::CollectivePattern& pattern = options->collective;
  pattern.type = type;
  add_common(command, *options);
  command->add_option("--npus", pattern.npus, "NPUs of the trace")->required();
  command
      ->add_option("--group", options->groups,
                   "Members, like 0,2,5; may be repeated (default: one of all NPUs)")
      ->allow_extra_args(false);
  command->add_option("--count", pattern.count, "Rounds")->capture_default_str();
  command->add_flag("--chain", pattern.chained, "A group's next operation waits for its last");
  command->add_option("--class", options->traffic_class, "mp, pp or dp (default)");
  if (takes("bytes")) {
    command
        ->add_option("--bytes", options->bytes,
                     "Size with a unit, like \"64 MiB\"; may be repeated, one round each")
        ->required()
        ->allow_extra_args(false);
  }
  if (takes("root"))
    command->add_option("--root", options->root, "Rank of the root in its group (default 0)");
  if (takes("op")) command->add_option("--op", options->op, "sum (default), min or max");
  if (takes("dtype")) {
    command->add_option("--dtype", options->dtype,
                        "fp16, bf16, fp32 or int32 (default: the configuration's)");
  }
  command->callback([options] {
    trace::CollectivePattern wanted = options->collective;
    wanted.name = options->name;
    for (const std::string& text : options->groups) wanted.groups.push_back(group_of(text));
    for (const std::string& text : options->bytes) wanted.bytes.push_back(bytes_of("--bytes", text));
    if (trace::need(wanted.type, "root") != trace::Need::not_taken) wanted.root = options->root;
    if (!options->traffic_class.empty()) {
      wanted.traffic_class =
          name_of("--class", options->traffic_class, {"mp", "pp", "dp"}, hw::parse_traffic_class);
    }
    if (!options->op.empty())
      wanted.op = name_of("--op", options->op, {"sum", "min", "max"}, hw::parse_reduce_op);
    wanted.dtype = dtype_of(options->dtype);
    write_trace(trace::generate_collective(wanted), options->output);
  });
}

void add_groups(CLI::App* generate) {
  const auto options = std::make_shared<GenerateOptions>();
  CLI::App* command = generate->add_subcommand(
      "groups", "All-reduces of the MP, PP and DP groups of a 3D-parallel placement");
  trace::GroupsPattern& pattern = options->parallel;
  add_common(command, *options);
  command->add_option("--mp", pattern.mp, "Model-parallel size")->capture_default_str();
  command->add_option("--pp", pattern.pp, "Pipeline-parallel size")->capture_default_str();
  command->add_option("--dp", pattern.dp, "Data-parallel size")->capture_default_str();
  command->add_option("--mp-bytes", options->mp_bytes,
                      "Size in the MP groups, like \"1 MiB\" (default: silent)");
  command->add_option("--pp-bytes", options->pp_bytes, "Size in the PP groups");
  command->add_option("--dp-bytes", options->dp_bytes, "Size in the DP groups");
  command->add_option("--count", pattern.count, "Rounds")->capture_default_str();
  command->add_option("--dtype", options->dtype, "fp16, bf16, fp32 or int32 (default: the configuration's)");
  command->callback([options] {
    trace::GroupsPattern wanted = options->parallel;
    wanted.name = options->name;
    wanted.mp_bytes = bytes_of("--mp-bytes", options->mp_bytes);
    wanted.pp_bytes = bytes_of("--pp-bytes", options->pp_bytes);
    wanted.dp_bytes = bytes_of("--dp-bytes", options->dp_bytes);
    wanted.dtype = dtype_of(options->dtype);
    write_trace(trace::generate_groups(wanted), options->output);
  });
}

void add_pipeline(CLI::App* generate) {
  const auto options = std::make_shared<GenerateOptions>();
  CLI::App* command =
      generate->add_subcommand("pipeline", "Microbatches through a pipeline of one stage an NPU");
  trace::PipelinePattern& pattern = options->pipeline;
  add_common(command, *options);
  command->add_option("--stages", pattern.stages, "Stages, each an NPU")->capture_default_str();
  command->add_option("--microbatches", pattern.microbatches, "Microbatches")->capture_default_str();
  options->bytes.resize(1);
  command->add_option("--bytes", options->bytes[0], "Size sent to the next stage, like \"1 MiB\"")
      ->required();
  command->add_option("--compute", options->compute,
                      "Time of a stage for a microbatch, like \"2 us\" (default 0)");
  command->add_flag("--backward", pattern.backward, "Then all microbatches back again");
  command->callback([options] {
    trace::PipelinePattern wanted = options->pipeline;
    wanted.name = options->name;
    wanted.bytes = bytes_of("--bytes", options->bytes[0]);
    if (!options->compute.empty()) {
      wanted.compute =
          value_of("--compute", options->compute, [](const std::string& t) { return hw::parse_time(t); });
    }
    write_trace(trace::generate_pipeline(wanted), options->output);
  });
}

void add_random(CLI::App* generate) {
  const auto options = std::make_shared<GenerateOptions>();
  CLI::App* command = generate->add_subcommand("random", "A mix of everything that cannot hang");
  trace::RandomPattern& pattern = options->random;
  add_common(command, *options);
  command->add_option("--seed", pattern.seed, "The same seed gives the same trace")->capture_default_str();
  command->add_option("--npus", pattern.npus, "NPUs of the trace")->capture_default_str();
  command->add_option("--operations", pattern.operations, "Operations")->capture_default_str();
  command->add_option("--max-bytes", options->max_bytes, "Largest size (default 64 KiB)");
  command->add_flag("--io", pattern.io, "Loads and stores too, which need I/O controllers");
  command->callback([options] {
    trace::RandomPattern wanted = options->random;
    wanted.name = options->name;
    if (!options->max_bytes.empty()) wanted.max_bytes = bytes_of("--max-bytes", options->max_bytes);
    write_trace(trace::generate_random(wanted), options->output);
  });
}

}  // namespace

void add_trace_generate_command(CLI::App& trace) {
  CLI::App* generate = trace.add_subcommand("generate", "Make a trace of a pattern");
  generate->require_subcommand(1);
  using T = hw::OperationType;
  for (const T type : {T::all_reduce, T::reduce_scatter, T::all_gather, T::reduce, T::broadcast, T::scatter,
                       T::gather, T::all_to_all, T::barrier}) {
    add_collective(generate, type);
  }
  add_groups(generate);
  add_pipeline(generate);
  add_random(generate);
  add_trace_training(*generate);
}

}  // namespace fredsim::tb
