#include "tb/cli/describe_command.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "hw/core/error.h"
#include "tb/cli/describe_text.h"
#include "tb/cli/output_file.h"
#include "tb/cli/shared_files.h"

namespace fredsim::tb {
namespace {

struct Options {
  std::optional<std::string> configuration;
  std::vector<std::string> sets;
  std::optional<std::string> trace;
  std::optional<std::string> json;
  std::optional<std::string> dot;
  bool markdown = false;
};

/// Columns of the terminal, or a width that suits files and pipes.
std::size_t output_width() {
  constexpr std::size_t otherwise = 100;
  constexpr std::size_t least = 60;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
  return std::max<std::size_t>(size.ws_col, least);
}

void describe(const Options& options, const DescribeSystem& describe_system) {
  std::optional<Configuration> configuration;
  if (options.configuration) configuration = load_configuration(*options.configuration, options.sets);
  if (options.json == "-" && options.dot == "-") {
    throw hw::InputError("--json - and --dot - cannot share standard output; give one of them a file");
  }
  std::vector<NamedFile> inputs, outputs;
  if (options.configuration) inputs.push_back({"the configuration", *options.configuration});
  if (options.trace) inputs.push_back({"--trace", *options.trace});
  if (options.json) outputs.push_back({"--json", *options.json});
  if (options.dot) outputs.push_back({"--dot", *options.dot});
  refuse_shared_files(inputs, outputs);
  std::optional<OutputFile> json, dot;
  if (options.json) json.emplace("--json", *options.json);
  if (options.dot) dot.emplace("--dot", *options.dot);

  // What goes to standard output on request is to be read by a program, so the text makes room for it.
  const bool text = options.json != "-" && options.dot != "-";
  if (configuration) {
    const SystemDescription system =
        describe_system ? describe_system(*configuration, options.trace) : SystemDescription{};
    if (text) std::cout << description_text(*configuration, system.json);
    if (json) json->write(description_json(*configuration, system.json));
    if (dot) dot->write(system.dot);
  } else {
    if (text) std::cout << (options.markdown ? parameters_markdown() : parameters_text(output_width()));
    if (json) json->write(parameters_json());
  }
}

}  // namespace

void add_describe_command(CLI::App& app, int& exit_code, DescribeSystem describe_system) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "describe",
      "Show every parameter with its unit, default and meaning, or what a configuration amounts to");
  CLI::Option* configuration = command->add_option(
      "CONFIG", options->configuration,
      "Configuration (YAML): show its effective values, the modules of its system and the hardware counts");
  command
      ->add_option("--set", options->sets,
                   "Give a parameter another value than CONFIG does, as key=value; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->needs(configuration);
  command
      ->add_option("--trace", options->trace,
                   "Workload trace (or prefix of Chakra files): show how much of each route memory it takes")
      ->needs(configuration);
  command->add_option("--json", options->json, "Write the same to this file as JSON; - is standard output")
      ->type_name("FILE");
  command
      ->add_option("--dot", options->dot,
                   "Write a picture of the system to this file, for Graphviz's dot; - is standard output")
      ->type_name("FILE")
      ->needs(configuration);
  command->add_flag("--markdown", options->markdown, "Print the parameters as Markdown tables")
      ->excludes(configuration);
  command->callback([options, &exit_code, describe_system = std::move(describe_system)] {
    describe(*options, describe_system);
    exit_code = 0;
  });
}

}  // namespace fredsim::tb
