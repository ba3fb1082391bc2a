#include "tb/tests/route/oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>

namespace fredsim::sw::test {
namespace {

struct Sides {
  Ports inputs;
  Ports outputs;
};

std::vector<Sides> sides(const std::vector<PortFlow>& flows) {
  std::vector<Sides> result;
  for (const PortFlow& f : flows) {
    Sides& one = result.emplace_back();
    for (const hw::PortId p : f.inputs) one.inputs.insert(p.value);
    for (const hw::PortId p : f.outputs) one.outputs.insert(p.value);
  }
  return result;
}

Ports micro_switches(const Ports& ports) {
  Ports result;
  for (const std::uint32_t p : ports) result.insert(p / 2);
  return result;
}

bool meet(const Ports& a, const Ports& b) {
  return std::any_of(a.begin(), a.end(), [&](std::uint32_t p) { return b.count(p) != 0; });
}

enum class Found { yes, no, no_more };  ///< no_more: no, and no other coloring is to be tried

struct Oracle {
  std::uint32_t middle;
  bool comes_back;  ///< whether another coloring is tried when the levels below refuse one

  bool routable(std::uint32_t ports, const std::vector<Sides>& flows, std::uint32_t levels) const {
    if (ports == 2 || levels == 0 || flows.size() < 2) return true;
    std::vector<Sides> halved;
    for (const Sides& f : flows) halved.push_back({micro_switches(f.inputs), micro_switches(f.outputs)});
    std::vector<std::vector<std::size_t>> members(middle);
    return color(ports, halved, levels, members, 0) == Found::yes;
  }

  Found color(std::uint32_t ports, const std::vector<Sides>& halved, std::uint32_t levels,
              std::vector<std::vector<std::size_t>>& members, std::size_t next) const {
    if (next == halved.size()) {
      const bool all = std::all_of(members.begin(), members.end(), [&](const std::vector<std::size_t>& one) {
        std::vector<Sides> below;
        for (const std::size_t i : one) below.push_back(halved[i]);
        return routable((ports + 1) / 2, below, levels - 1);
      });
      return all ? Found::yes : comes_back ? Found::no : Found::no_more;
    }
    for (std::vector<std::size_t>& one : members) {
      const bool was_empty = one.empty();
      const bool conflict = std::any_of(one.begin(), one.end(), [&](std::size_t other) {
        return meet(halved[next].inputs, halved[other].inputs) ||
               meet(halved[next].outputs, halved[other].outputs);
      });
      if (!conflict) {
        one.push_back(next);
        const Found found = color(ports, halved, levels, members, next + 1);
        if (found != Found::no) return found;
        one.pop_back();
      }
      if (was_empty) break;
    }
    return Found::no;
  }
};

/// What a wire carries: a sum, written with a bracket for every addition.
struct Carried {
  std::size_t flow = 0;
  std::string sum;
};

std::string evaluate(const std::vector<ReductionStep>& order) {
  std::vector<std::string> stack;
  for (const ReductionStep& step : order) {
    if (step.kind == ReductionStep::Kind::operand) {
      stack.push_back(std::to_string(step.port.value));
      continue;
    }
    if (stack.size() < 2) return "too few operands";
    const std::string upper = stack.back();
    stack.pop_back();
    stack.back() = "(" + stack.back() + "+" + upper + ")";
  }
  return stack.size() == 1 ? stack.front() : "operands left over";
}

/// The ports of a sum in the order they are written, each once if the sum is right.
std::vector<std::uint32_t> operands(const std::string& sum) {
  std::vector<std::uint32_t> result;
  for (std::size_t i = 0; i < sum.size();) {
    if (sum[i] < '0' || sum[i] > '9') {
      ++i;
      continue;
    }
    std::size_t length = 0;
    result.push_back(static_cast<std::uint32_t>(std::stoul(sum.substr(i), &length)));
    i += length;
  }
  return result;
}

}  // namespace

PortFlow flow(const Ports& inputs, const Ports& outputs) {
  PortFlow result;
  for (const std::uint32_t p : inputs) result.inputs.emplace_back(p);
  for (const std::uint32_t p : outputs) result.outputs.emplace_back(p);
  return result;
}

bool routable(std::uint32_t ports, std::uint32_t middle, const std::vector<PortFlow>& flows,
              std::uint32_t levels) {
  return Oracle{middle, true}.routable(ports, sides(flows), levels);
}

bool routable(const Structure& structure, const std::vector<PortFlow>& flows) {
  return routable(structure.ports(), structure.middle(), flows, structure.levels());
}

bool routable_at_first_try(const Structure& structure, const std::vector<PortFlow>& flows) {
  return Oracle{structure.middle(), false}.routable(structure.ports(), sides(flows), structure.levels());
}

std::string replay(const Structure& structure, const std::vector<PortFlow>& flows,
                   const std::vector<Route>& routes) {
  using Place =
      std::pair<std::uint32_t, std::uint32_t>;  // element (Terminal::outside for output ports) and its input
  std::map<Place, Carried> arrived;
  const auto send = [&](Terminal to, const Carried& carried) {
    return arrived.emplace(Place(to.element, to.port), carried).second;
  };
  for (std::size_t i = 0; i < flows.size(); ++i) {
    for (const hw::PortId p : flows[i].inputs) {
      if (!send(structure.input_to()[p.value], {i, std::to_string(p.value)}))
        return "an input port has two flows";
    }
  }

  struct Work {
    std::size_t flow;
    ElementSetting setting;
  };
  std::vector<Work> work;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    for (const ElementSetting& setting : settings(structure, flows[i], routes[i]))
      work.push_back({i, setting});
  }
  std::stable_sort(work.begin(), work.end(),
                   [](const Work& a, const Work& b) { return a.setting.element < b.setting.element; });
  for (const Work& w : work) {
    const Element& element = structure.elements()[w.setting.element];
    if (w.setting.inputs >> element.inputs != 0 || w.setting.outputs >> element.outputs != 0) {
      return element.name + " has fewer inputs or outputs than are set";
    }
    std::string sum;
    for (std::uint32_t in = 0; in < element.inputs; ++in) {
      if ((w.setting.inputs >> in & 1) == 0) continue;
      const auto found = arrived.find(Place(w.setting.element, in));
      if (found == arrived.end()) return element.name + " waits for what does not come";
      if (found->second.flow != w.flow) return element.name + " gets another flow";
      sum = sum.empty() ? found->second.sum : "(" + sum + "+" + found->second.sum + ")";
      arrived.erase(found);
    }
    for (std::uint32_t out = 0; out < element.outputs; ++out) {
      if ((w.setting.outputs >> out & 1) == 0) continue;
      if (!send(element.output_to[out], {w.flow, sum}))
        return "a wire out of " + element.name + " has two flows";
    }
  }

  for (std::size_t i = 0; i < flows.size(); ++i) {
    std::vector<std::uint32_t> inputs;
    for (const hw::PortId p : flows[i].inputs) inputs.push_back(p.value);
    for (const hw::PortId p : flows[i].outputs) {
      const auto found = arrived.find(Place(Terminal::outside, p.value));
      if (found == arrived.end() || found->second.flow != i)
        return fmt::format("output {} misses flow {}", p.value, i);
      if (operands(found->second.sum) != inputs)
        return fmt::format("output {} gets {}", p.value, found->second.sum);
      if (found->second.sum != evaluate(reduction_order(flows[i].inputs))) {
        return fmt::format("output {} gets {}, reduction_order says otherwise", p.value, found->second.sum);
      }
      arrived.erase(found);
    }
  }
  return arrived.empty() ? "" : "something arrives that no flow has sent there";
}

std::vector<PortFlow> random_flows(std::mt19937& random, std::uint32_t ports, const std::string& kind,
                                   double fill) {
  // std::shuffle and the distributions differ between standard libraries; this does not.
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  const auto shuffled = [&] {
    std::vector<std::uint32_t> all(ports);
    std::iota(all.begin(), all.end(), 0u);
    for (std::uint32_t i = ports; i > 1; --i) std::swap(all[i - 1], all[below(i)]);
    return all;
  };
  const std::vector<std::uint32_t> in = shuffled();
  const std::vector<std::uint32_t> out = shuffled();
  const auto limit = static_cast<std::size_t>(ports * fill);
  std::vector<PortFlow> flows;
  for (std::size_t i = 0, o = 0;;) {
    std::string one = kind;
    if (kind == "mix") one = std::vector<std::string>{"unicast", "many", "reduce", "multicast"}[below(4)];
    const std::size_t inputs = one == "unicast" || one == "multicast" ? 1 : 2 + below(3);
    const std::size_t outputs = one == "all_reduce"                   ? inputs
                                : one == "unicast" || one == "reduce" ? 1
                                                                      : 2 + below(3);
    if (i + inputs > limit || o + outputs > limit) return flows;
    const auto& out_side = one == "all_reduce" ? in : out;
    flows.push_back(flow(Ports(in.begin() + static_cast<std::ptrdiff_t>(i),
                               in.begin() + static_cast<std::ptrdiff_t>(i + inputs)),
                         Ports(out_side.begin() + static_cast<std::ptrdiff_t>(o),
                               out_side.begin() + static_cast<std::ptrdiff_t>(o + outputs))));
    i += inputs;
    o += outputs;
  }
}

std::string to_string(const std::vector<PortFlow>& flows) {
  std::string text;
  for (const PortFlow& f : flows) text += " " + sw::to_string(f);
  return text;
}

std::vector<PortFlow> flows_of(const std::string& text) {
  const auto ports = [](const std::string& side) {
    std::istringstream in(side);
    Ports result;
    for (std::string port; std::getline(in, port, ',');)
      result.insert(static_cast<std::uint32_t>(std::stoul(port)));
    return result;
  };
  std::istringstream in(text);
  std::vector<PortFlow> flows;
  for (std::string one; in >> one;) {
    const std::size_t arrow = one.find('>');
    flows.push_back(flow(ports(one.substr(0, arrow)), ports(one.substr(arrow + 1))));
  }
  return flows;
}

}  // namespace fredsim::sw::test
