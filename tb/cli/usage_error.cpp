#include "tb/cli/usage_error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "hw/core/nearest.h"

namespace fredsim::tb {
namespace {

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-';
}

std::vector<std::string> commands_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(sub->get_name());
  }
  return names;
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = &app;
  std::string name = app.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  const std::vector<std::string> rest = app.remaining(true);
  const std::vector<std::string> commands = commands_of(*command);
  const auto option = std::find_if(rest.begin(), rest.end(), is_option);
  std::string message = error.what();
  if (option != rest.end()) {
    message = fmt::format("unknown option '{}'{}", *option, hw::did_you_mean(*option, options_of(*command)));
  } else if (!rest.empty() && !commands.empty()) {
    message = fmt::format("unknown command '{}'{}", rest.front(), hw::did_you_mean(rest.front(), commands));
  } else if (!commands.empty() && command->get_require_subcommand_min() > 0) {
    message = fmt::format("a command is required: {}", fmt::join(commands, ", "));
  } else if (!rest.empty()) {
    message = fmt::format("'{}' is one argument too many", rest.front());
  }
  return fmt::format("{}; {} --help tells more", message, name);
}

void refuse_options_as_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 0) continue;
    option->check(CLI::Validator(
        [](const std::string& value) {
          return value.rfind("--", 0) == 0 ? fmt::format("a value is missing, '{}' is an option", value) : "";
        },
        ""));
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    refuse_options_as_values(*command);
}

}  // namespace fredsim::tb
