#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace fredsim::tb {

/// What is wrong with a command line that `app` has refused with `error`, for a person: names the word that
/// was not understood and the nearest one that would have been.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

/// Makes every option of `app` and its commands refuse another option as its value, as in `--json
/// --monitors`.
void refuse_options_as_values(CLI::App& app);

}  // namespace fredsim::tb
