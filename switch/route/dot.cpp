#include "switch/route/dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hw/core/error.h"
#include "switch/route/settings.h"

namespace fredsim::sw {
namespace {

constexpr std::size_t no_flow = SIZE_MAX;
constexpr const char* idle_color = "#c8c8c8";

/// Colors that stay apart on white and in print; further flows repeat them with dashed lines.
constexpr std::array<const char*, 10> flow_colors = {"#d62728", "#1f77b4", "#2ca02c", "#ff7f0e", "#9467bd",
                                                     "#17becf", "#8c564b", "#e377c2", "#bcbd22", "#555555"};

std::string color_of(std::size_t flow) {
  return flow_colors[flow % flow_colors.size()];
}
const char* line_of(std::size_t flow) {
  return flow / flow_colors.size() % 2 == 0 ? "solid" : "dashed";
}

/// What the flows make of one element.
struct Activity {
  std::vector<std::size_t> flows;     ///< that cross it
  std::optional<std::size_t> active;  ///< the flow reduced or copied in it; there is never room for two
  bool reduces = false;
  bool distributes = false;
  std::vector<std::size_t> flow_at_output;
};

struct Picture {
  std::vector<Activity> elements;
  std::vector<std::size_t> flow_at_input_port;
  std::vector<std::size_t> flow_at_output_port;
};

Picture picture(const Structure& structure, const std::vector<PortFlow>& flows,
                const std::vector<std::optional<Route>>& routes) {
  Picture result;
  for (const Element& element : structure.elements()) {
    result.elements.emplace_back().flow_at_output.assign(element.outputs, no_flow);
  }
  result.flow_at_input_port.assign(structure.ports(), no_flow);
  result.flow_at_output_port.assign(structure.ports(), no_flow);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (!routes[i]) continue;
    for (const hw::PortId p : flows[i].inputs) result.flow_at_input_port[p.value] = i;
    for (const hw::PortId p : flows[i].outputs) result.flow_at_output_port[p.value] = i;
    for (const ElementSetting& setting : settings(structure, flows[i], *routes[i])) {
      Activity& activity = result.elements[setting.element];
      activity.flows.push_back(i);
      if (setting.reduces() || setting.distributes()) activity.active = i;
      activity.reduces |= setting.reduces();
      activity.distributes |= setting.distributes();
      for (std::size_t o = 0; o < activity.flow_at_output.size(); ++o) {
        if ((setting.outputs >> o & 1) != 0) activity.flow_at_output[o] = i;
      }
    }
  }
  return result;
}

std::string element_node(const Element& element, const Activity& activity) {
  std::string label = element.name;
  if (activity.reduces && activity.distributes) {
    label += "\\nreduce+copy";
  } else if (activity.reduces) {
    label += "\\nreduce";
  } else if (activity.distributes) {
    label += "\\ncopy";
  }
  std::string look;
  if (activity.active) {
    look = fmt::format(R"(fillcolor="{0}", color="{0}", fontcolor=white)", color_of(*activity.active));
  } else if (!activity.flows.empty()) {
    look = fmt::format(R"(color="{}")",
                       activity.flows.size() == 1 ? color_of(activity.flows.front()) : "#000000");
  } else {
    look = fmt::format(R"(color="{0}", fontcolor="{0}")", idle_color);
  }
  return fmt::format(R"("{}" [label="{}", {}];)", element.name, label, look);
}

std::string port_node(const char* direction, std::uint32_t port, std::size_t flow) {
  return fmt::format(R"("{0}{1}" [shape=plaintext, label="{0} {1}", fontcolor="{2}"];)", direction, port,
                     flow == no_flow ? idle_color : color_of(flow));
}

std::string wire(const std::string& from, const std::string& to, std::size_t flow) {
  if (flow == no_flow) return fmt::format(R"("{}" -> "{}" [color="{}"];)", from, to, idle_color);
  return fmt::format(R"("{}" -> "{}" [color="{}", penwidth=2.5, style={}];)", from, to, color_of(flow),
                     line_of(flow));
}

/// "0,2>0,2" with an arrow in place of ">", which HTML-like labels do not take.
std::string arrowed(std::string flow) {
  return flow.replace(flow.find('>'), 1, " &#8594; ");
}

std::string legend(const Structure& structure, const std::vector<PortFlow>& flows,
                   const std::vector<std::optional<Route>>& routes) {
  std::string rows = fmt::format(R"(<TR><TD COLSPAN="4"><B>{}</B></TD></TR>)", to_string(structure));
  rows += "<TR><TD></TD><TD>flow</TD><TD>ports</TD><TD>middle switches</TD></TR>";
  for (std::size_t i = 0; i < flows.size(); ++i) {
    std::string path = "not routed";
    if (routes[i]) {
      path.clear();
      for (const std::uint8_t color : routes[i]->colors) {
        path += fmt::format("{}m{}", path.empty() ? "" : ".", color);
      }
    }
    rows += fmt::format(
        R"(<TR><TD BGCOLOR="{}" WIDTH="24" FIXEDSIZE="TRUE" HEIGHT="14"></TD><TD>{}{}</TD><TD>{}</TD><TD>{}</TD></TR>)",
        color_of(i), i, line_of(i) == std::string("dashed") ? " (dashed)" : "", arrowed(to_string(flows[i])),
        path);
  }
  rows += R"(<TR><TD COLSPAN="4">filled: reduces or copies; outlined: passes; grey: idle</TD></TR>)";
  return fmt::format(R"(<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="4">{}</TABLE>)", rows);
}

/// Keeps nodes of one rank in this order, from top to bottom.
std::string column(const std::vector<std::string>& nodes) {
  std::string out = "{rank=same;";
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    out += fmt::format("{}\"{}\"", i == 0 ? " " : " -> ", nodes[i]);
  }
  return out + (nodes.size() > 1 ? " [style=invis]}" : "}");
}

}  // namespace

std::string to_dot(const Structure& structure, const std::vector<PortFlow>& flows,
                   const std::vector<std::optional<Route>>& routes) {
  if (routes.size() != flows.size())
    throw hw::InternalError("a picture needs an entry of `routes` for each flow");
  const Picture seen = picture(structure, flows, routes);
  std::string out = fmt::format(
      "digraph \"{}\" {{\n"
      "  rankdir=LR; ranksep=0.9; nodesep=0.12; splines=line; fontname=\"Helvetica\"; fontsize=11; "
      "labelloc=t;\n"
      "  node [shape=box, style=\"filled,rounded\", fillcolor=white, fontname=\"Helvetica\", fontsize=10, "
      "height=0.3, margin=\"0.08,0.03\"];\n"
      "  edge [arrowsize=0.4];\n"
      "  label=<{}>;\n",
      to_string(structure), legend(structure, flows, routes));

  // Columns from left to right: input ports, stages, output ports.
  std::vector<std::vector<std::string>> columns(structure.stages() + 2);
  for (std::uint32_t p = 0; p < structure.ports(); ++p) {
    out += "  " + port_node("in", p, seen.flow_at_input_port[p]) + "\n";
    out += "  " + port_node("out", p, seen.flow_at_output_port[p]) + "\n";
    columns.front().push_back(fmt::format("in{}", p));
    columns.back().push_back(fmt::format("out{}", p));
  }
  for (std::size_t e = 0; e < structure.elements().size(); ++e) {
    const Element& element = structure.elements()[e];
    out += "  " + element_node(element, seen.elements[e]) + "\n";
    columns[element.stage + 1].push_back(element.name);
  }
  for (const std::vector<std::string>& nodes : columns) out += "  " + column(nodes) + "\n";

  for (std::uint32_t p = 0; p < structure.ports(); ++p) {
    const Terminal to = structure.input_to()[p];
    out += "  " +
           wire(fmt::format("in{}", p), structure.elements()[to.element].name, seen.flow_at_input_port[p]) +
           "\n";
  }
  for (std::size_t e = 0; e < structure.elements().size(); ++e) {
    const Element& element = structure.elements()[e];
    for (std::size_t o = 0; o < element.output_to.size(); ++o) {
      const Terminal to = element.output_to[o];
      const std::string target =
          to.is_switch_port() ? fmt::format("out{}", to.port) : structure.elements()[to.element].name;
      out += "  " + wire(element.name, target, seen.elements[e].flow_at_output[o]) + "\n";
    }
  }
  return out + "}\n";
}

}  // namespace fredsim::sw
