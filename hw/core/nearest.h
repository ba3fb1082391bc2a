#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fredsim::hw {

/// The entry of `known` that the user probably meant by `word`, or an empty string when none is near enough.
/// Distance counts inserted, deleted, changed and swapped letters; a letter in the wrong case counts least.
/// The nearest entry wins, the first of equals; it is near enough up to a third of the longer word or 2
/// letters, whichever is more, as long as something of the word is kept.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// " (did you mean 'X'?)" for the entry `nearest` finds, or an empty string: to be put into a message.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace fredsim::hw
