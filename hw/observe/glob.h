#pragma once

#include <string_view>

namespace fredsim::hw {

/// Whether `pattern` fits all of `text`: `*` stands for any text, dots too, `?` for one character.
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace fredsim::hw
