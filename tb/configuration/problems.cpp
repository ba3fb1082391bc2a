#include "tb/configuration/problems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hw/core/error.h"

namespace fredsim::tb {

void Problems::add(const std::string& place, const std::string& key, const std::string& what) {
  lines_.push_back(fmt::format("{}: {}: {}", place, key, what));
}

void Problems::throw_if_any() const {
  if (lines_.empty()) return;
  // A file of another kind given by mistake has hundreds.
  constexpr std::size_t most = 20;
  if (lines_.size() <= most) throw hw::InputError(fmt::format("{}", fmt::join(lines_, "\n")));
  throw hw::InputError(fmt::format("{}\nand {} more", fmt::join(lines_.begin(), lines_.begin() + most, "\n"),
                                   lines_.size() - most));
}

}  // namespace fredsim::tb
