#pragma once

#include <optional>
#include <string>
#include <utility>

#include "tb/configuration/declaration.h"

namespace fredsim::tb {

/// What `parse` makes of the text, or nothing for `word`, which stands for a value from elsewhere.
template <class Parse>
auto parse_or(const char* word, const std::string& text, Parse parse)
    -> std::optional<decltype(parse(text))> {
  if (text == word) return std::nullopt;
  try {
    return parse(text);
  } catch (const hw::InputError& error) {
    throw hw::InputError(std::string(error.what()) + ", or '" + word + "'");
  }
}

/// A parameter whose texts are of a kind of its own.
template <class Text, class Field>
auto special(std::string key, Field field) {
  return Declaration<Text, Field>(std::move(key), std::move(field));
}

}  // namespace fredsim::tb
