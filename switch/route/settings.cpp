#include "switch/route/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"

namespace fredsim::sw {
namespace {

/// Ports of one side of a flow inside a switch of some level, ascending.
using Ports = std::vector<std::uint32_t>;

Ports ports_of(const std::vector<hw::PortId>& side, std::uint32_t ports) {
  Ports result;
  for (const hw::PortId p : side) {
    if (p.value >= ports) {
      throw hw::InternalError(fmt::format("port {} of a flow in a switch of {} ports", p.value, ports));
    }
    result.push_back(p.value);
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// A setting for each element of one side of a switch: the two ports of each, as bits of inputs (`to_inputs`)
/// or of outputs, and the wire of the middle switch on the other side. `ports` becomes the ports of the
/// middle switch.
std::vector<ElementSetting> side_settings(Ports& ports, std::uint32_t base, std::uint32_t color,
                                          bool to_inputs) {
  std::vector<ElementSetting> result;
  Ports reduced;
  for (const std::uint32_t p : ports) {
    if (reduced.empty() || reduced.back() != p / 2) {
      reduced.push_back(p / 2);
      result.push_back({base + p / 2, 0, 0});
      (to_inputs ? result.back().outputs : result.back().inputs) = 1u << color;
    }
    (to_inputs ? result.back().inputs : result.back().outputs) |= 1u << (p % 2);
  }
  ports = std::move(reduced);
  return result;
}

std::uint32_t mask(const Ports& ports) {
  std::uint32_t bits = 0;
  for (const std::uint32_t p : ports) bits |= 1u << p;
  return bits;
}

void append_order(const std::vector<std::uint32_t>& ports, std::vector<ReductionStep>& order) {
  if (ports.size() == 1) {
    order.push_back({ReductionStep::Kind::operand, hw::PortId(ports.front())});
    return;
  }
  // The ports part where the micro-switch that joins them all has its two inputs: at the highest bit that
  // differs.
  std::uint32_t bit = 1;
  while ((ports.front() / bit) / 2 != (ports.back() / bit) / 2) bit *= 2;
  const auto upper = std::find_if(ports.begin(), ports.end(),
                                  [&](std::uint32_t p) { return p / bit != ports.front() / bit; });
  append_order({ports.begin(), upper}, order);
  append_order({upper, ports.end()}, order);
  order.push_back({ReductionStep::Kind::combine, {}});
}

}  // namespace

std::vector<ElementSetting> settings(const Structure& structure, const PortFlow& flow, const Route& route) {
  if (route.colors.size() != structure.levels()) {
    throw hw::InternalError(fmt::format("a route of {} colors in a switch of {} levels", route.colors.size(),
                                        structure.levels()));
  }
  Ports inputs = ports_of(flow.inputs, structure.ports());
  Ports outputs = ports_of(flow.outputs, structure.ports());
  std::vector<ElementSetting> result;
  std::uint32_t base = 0;
  for (std::uint32_t level = 0; level < structure.levels(); ++level) {
    const std::uint32_t color = route.colors[level];
    if (color >= structure.middle()) {
      throw hw::InternalError(fmt::format("color {} in {}", color, to_string(structure)));
    }
    const auto in = side_settings(inputs, base, color, true);
    const auto out = side_settings(outputs, structure.output_base(level, base), color, false);
    result.insert(result.end(), in.begin(), in.end());
    result.insert(result.end(), out.begin(), out.end());
    base = structure.middle_base(level, base, color);
  }
  result.push_back({base, mask(inputs), mask(outputs)});
  std::sort(result.begin(), result.end(),
            [](const ElementSetting& a, const ElementSetting& b) { return a.element < b.element; });
  return result;
}

std::vector<ReductionStep> reduction_order(const std::vector<hw::PortId>& inputs) {
  std::vector<std::uint32_t> ports;
  for (const hw::PortId p : inputs) ports.push_back(p.value);
  std::sort(ports.begin(), ports.end());
  std::vector<ReductionStep> order;
  if (!ports.empty()) append_order(ports, order);
  return order;
}

}  // namespace fredsim::sw
