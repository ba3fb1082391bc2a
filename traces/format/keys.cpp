#include "traces/format/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hw/core/nearest.h"

namespace fredsim::trace {

Need need(hw::OperationType type, std::string_view key) {
  using T = hw::OperationType;
  const auto when = [](bool taken, Need how) { return taken ? how : Need::not_taken; };
  const bool point_to_point = type == T::send || type == T::recv;
  const bool io = type == T::load || type == T::store;
  const bool carries_data = type != T::compute && type != T::barrier;

  if (key == "id" || key == "type" || key == "npus") return Need::required;
  if (key == "after" || key == "after_all") return Need::optional;
  if (key == "bytes") return when(carries_data, Need::required);
  if (key == "ns" || key == "flops") return when(type == T::compute, Need::optional);  // one of the two
  if (key == "root") {
    return when(type == T::reduce || type == T::broadcast || type == T::scatter || type == T::gather,
                Need::required);
  }
  if (key == "to") return when(type == T::send, Need::required);
  if (key == "from") return when(type == T::recv, Need::required);
  if (key == "tag") return when(point_to_point, Need::optional);
  if (key == "mode") return when(io, Need::optional);
  if (key == "class") return when(type != T::compute, Need::optional);
  // A store is summed on its way out, as gradients are (FRED sec. 7.1).
  if (key == "op") return when(hw::reduces(type) || type == T::store, Need::optional);
  if (key == "dtype") return when(carries_data, Need::optional);
  if (key == "algorithm") return when(carries_data && !point_to_point && !io, Need::optional);
  return Need::not_taken;
}

const std::vector<std::string>& operation_keys() {
  static const std::vector<std::string> keys = {"id",   "type",  "npus",      "bytes", "ns",       "flops",
                                                "root", "to",    "from",      "tag",   "mode",     "class",
                                                "op",   "dtype", "algorithm", "after", "after_all"};
  return keys;
}

const std::vector<std::string>& header_keys() {
  static const std::vector<std::string> keys = {
      "format", "version", "npus", "name", "operations", "weights", "gradients", "optimizer", "activations"};
  return keys;
}

std::string taken_keys(hw::OperationType type) {
  std::vector<std::string_view> taken;
  for (const std::string& key : operation_keys()) {
    if (need(type, key) != Need::not_taken) taken.push_back(key);
  }
  return fmt::format("{}", fmt::join(taken, ", "));
}

std::string unknown(std::string_view what, std::string_view word, const std::vector<std::string>& known) {
  const std::string near = hw::nearest(word, known);
  if (!near.empty()) return fmt::format("unknown {} \"{}\", did you mean \"{}\"?", what, word, near);
  return fmt::format("unknown {} \"{}\", known: {}", what, word, fmt::join(known, ", "));
}

}  // namespace fredsim::trace
