#pragma once

#include <string>
#include <utility>
#include <vector>

#include "traces/generate/training.h"

namespace fredsim::tb {

/// The models that come with the program: name and the text of its file.
const std::vector<std::pair<std::string, std::string>>& ready_models();

/// The model of this name, or that of a YAML file. Throws InputError with place, key, what is wrong and what
/// is allowed, every problem a line.
trace::Model load_model(const std::string& name_or_path);
/// From text; `name` stands for the file in messages.
trace::Model parse_model(const std::string& text, const std::string& name);

}  // namespace fredsim::tb
