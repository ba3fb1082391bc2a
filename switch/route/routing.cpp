#include "switch/route/routing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fredsim::sw {
namespace {

std::string side(const std::vector<hw::PortId>& ports) {
  std::vector<std::uint32_t> values;
  for (const hw::PortId p : ports) values.push_back(p.value);
  return fmt::format("{}", fmt::join(values, ","));
}

}  // namespace

std::string to_string(const PortFlow& flow) {
  return side(flow.inputs) + ">" + side(flow.outputs);
}

}  // namespace fredsim::sw
