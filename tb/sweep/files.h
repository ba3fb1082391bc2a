#pragma once

#include <string>

#include "tb/configuration/parameter.h"

namespace fredsim::tb {

/// Whether a key of a sweep names a file of the command line: `config`, `trace`, `schedule`.
bool is_file_key(const std::string& key);

/// `path`, if relative, as seen from `folder`, without needless "." and "..".
std::string relative_to(const std::string& folder, const std::string& path);

/// A parameter's value as `--set` takes it: written as the program does, and with a path, which a file gives
/// relative to its own `folder`, relative to the working directory. Throws InputError, without a place, for
/// what the parameter does not take.
std::string value_for_run(const Parameter& parameter, const std::string& text, const std::string& folder);

/// Whether a parameter's value is the name of a file, as with `wan.topology`; false for one that names none.
bool names_file(const Parameter& parameter, const std::string& value);

}  // namespace fredsim::tb
