#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fredsim::hw {

/// The entry of `known` that the user probably meant by `word` (smallest edit distance, the first of equals), or an
/// empty string when none is near enough (distance above a third of the longer word, at least 2).
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace fredsim::hw
