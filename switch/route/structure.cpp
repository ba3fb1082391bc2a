#include "switch/route/structure.h"

#include <fmt/format.h>

#include "hw/core/error.h"
#include "hw/core/ids.h"

namespace fredsim::sw {
namespace {

std::uint32_t half_up(std::uint32_t ports) {
  return (ports + 1) / 2;
}

/// Bits that tell "idle" and `choices` values apart.
std::uint32_t select_bits(std::uint32_t choices) {
  std::uint32_t bits = 0;
  while ((1u << bits) < choices + 1) ++bits;
  return bits;
}

}  // namespace

std::string_view to_string(ElementKind kind) {
  switch (kind) {
    case ElementKind::r:
      return "r";
    case ElementKind::d:
      return "d";
    case ElementKind::rd:
      return "rd";
    case ElementKind::demux:
      return "demux";
    case ElementKind::mux:
      return "mux";
  }
  throw hw::InternalError("element kind out of range");
}

Structure::Structure(std::uint32_t ports, std::uint32_t middle) : ports_(ports), middle_(middle) {
  if (ports < min_ports || ports > max_ports) {
    throw hw::InputError(
        fmt::format("a switch cannot have {} ports; {} to {} are allowed", ports, min_ports, max_ports));
  }
  if (middle < min_middle || middle > max_middle) {
    throw hw::InputError(fmt::format("a switch cannot have {} middle switches; {} to {} are allowed", middle,
                                     min_middle, max_middle));
  }
  while (ports_at(levels_) > 2) ++levels_;

  size_at_.resize(levels_ + 1);
  size_at_[levels_] = 1;
  for (std::uint32_t level = levels_; level-- > 0;) {
    size_at_[level] = 2 * half_up(ports_at(level)) + middle_ * size_at_[level + 1];
  }

  elements_.reserve(size_at_[0]);
  const Ends ends = build(0, "");
  input_to_ = ends.inputs;
  for (std::uint32_t p = 0; p < ports_; ++p) {
    elements_[ends.outputs[p].element].output_to[ends.outputs[p].port] = Terminal{Terminal::outside, p};
  }
}

std::uint32_t Structure::ports_at(std::uint32_t level) const {
  std::uint32_t ports = ports_;
  for (; level > 0; --level) ports = half_up(ports);
  return ports;
}

std::uint32_t Structure::middle_base(std::uint32_t level, std::uint32_t base, std::uint32_t color) const {
  return base + half_up(ports_at(level)) + color * size_at_[level + 1];
}

std::uint32_t Structure::output_base(std::uint32_t level, std::uint32_t base) const {
  return middle_base(level, base, middle_);
}

std::uint32_t Structure::add(ElementKind kind, const std::string& name, std::uint32_t level) {
  Element element;
  element.kind = kind;
  element.name = name;
  element.level = level;
  switch (kind) {
    case ElementKind::r:
      element.inputs = 2;
      element.outputs = middle_;
      element.stage = level;
      ++counts_.r;
      break;
    case ElementKind::d:
      element.inputs = middle_;
      element.outputs = 2;
      element.stage = stages() - 1 - level;
      ++counts_.d;
      break;
    case ElementKind::rd:
      element.inputs = 2;
      element.outputs = 2;
      element.stage = level;
      ++counts_.rd;
      break;
    case ElementKind::demux:
      element.inputs = 1;
      element.outputs = middle_;
      element.stage = level;
      ++counts_.demux;
      break;
    case ElementKind::mux:
      element.inputs = middle_;
      element.outputs = 1;
      element.stage = stages() - 1 - level;
      ++counts_.mux;
      break;
  }
  element.output_to.resize(element.outputs);
  elements_.push_back(std::move(element));
  return static_cast<std::uint32_t>(elements_.size() - 1);
}

Structure::Ends Structure::build(std::uint32_t level, const std::string& prefix) {
  Ends ends;
  if (level == levels_) {
    const std::uint32_t rd = add(ElementKind::rd, prefix + "rd", level);
    for (std::uint32_t p = 0; p < 2; ++p) {
      ends.inputs.push_back({rd, p});
      ends.outputs.push_back({rd, p});
    }
    return ends;
  }

  const std::uint32_t pairs = ports_at(level) / 2;
  const bool odd = ports_at(level) % 2 != 0;
  std::vector<std::uint32_t> input_side;
  for (std::uint32_t i = 0; i < pairs; ++i) {
    input_side.push_back(add(ElementKind::r, fmt::format("{}r{}", prefix, i), level));
    ends.inputs.push_back({input_side.back(), 0});
    ends.inputs.push_back({input_side.back(), 1});
  }
  if (odd) {
    input_side.push_back(add(ElementKind::demux, prefix + "demux", level));
    ends.inputs.push_back({input_side.back(), 0});
  }

  std::vector<Ends> middles;
  for (std::uint32_t j = 0; j < middle_; ++j) {
    middles.push_back(build(level + 1, fmt::format("{}m{}.", prefix, j)));
    for (std::uint32_t i = 0; i < input_side.size(); ++i) {
      elements_[input_side[i]].output_to[j] = middles[j].inputs[i];
    }
  }

  std::vector<std::uint32_t> output_side;
  for (std::uint32_t i = 0; i < pairs; ++i) {
    output_side.push_back(add(ElementKind::d, fmt::format("{}d{}", prefix, i), level));
    ends.outputs.push_back({output_side.back(), 0});
    ends.outputs.push_back({output_side.back(), 1});
  }
  if (odd) {
    output_side.push_back(add(ElementKind::mux, prefix + "mux", level));
    ends.outputs.push_back({output_side.back(), 0});
  }
  for (std::uint32_t j = 0; j < middle_; ++j) {
    for (std::uint32_t i = 0; i < output_side.size(); ++i) {
      const Terminal from = middles[j].outputs[i];
      elements_[from.element].output_to[from.port] = {output_side[i], j};
    }
  }
  return ends;
}

std::uint32_t Structure::route_bits() const {
  const std::uint32_t select = select_bits(middle_);
  return (2 * counts_.r + 2 * counts_.d + counts_.demux + counts_.mux) * select + counts_.rd * 2 * 2;
}

std::string to_string(const Structure& structure) {
  return fmt::format("FRED_{}({})", structure.middle(), structure.ports());
}

}  // namespace fredsim::sw
