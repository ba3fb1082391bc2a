#include "tb/cli/describe_mesh.h"

#include <fmt/format.h>

namespace fredsim::tb {

std::vector<LinkPair> mesh_link_pairs(const System& system) {
  std::vector<LinkPair> pairs;
  // Both directions of a link are made one after the other.
  for (std::size_t w = 0; w < system.wires().size(); w += 2) {
    const System::Wire& wire = system.wires()[w];
    const bool io = wire.from.rfind("io", 0) == 0;
    pairs.push_back({wire.from, wire.to, wire.from_npu ? "npu" : io ? "io" : "mesh", wire.link->config()});
  }
  return pairs;
}

nlohmann::ordered_json routers_of(const sw::Mesh& mesh) {
  return nlohmann::ordered_json::array({{{"routers", mesh.nodes()},
                                         {"columns", mesh.columns()},
                                         {"rows", mesh.rows()},
                                         {"ports", sw::mesh_ports}}});
}

std::string mesh_dot(const std::string& title, const sw::Mesh& mesh) {
  std::string quoted;
  for (const char c : title) quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  std::string text = fmt::format(
      "graph \"{}\" {{\n  layout=neato;\n  node [shape=box, style=filled, fillcolor=\"#dbe9f9\", "
      "color=\"#3b73b9\", fontname=\"sans-serif\", fontsize=10];\n",
      quoted);
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    text += fmt::format("  \"{}\" [label=\"{}\\nNPU {}\", pos=\"{},{}!\"];\n", mesh.name_of(n),
                        mesh.name_of(n), n, mesh.column_of(n), -static_cast<int>(mesh.row_of(n)));
  }
  for (std::uint32_t c = 0; c < mesh.io_controllers(); ++c) {
    const sw::MeshPort at = mesh.io_port(c);
    double x = mesh.column_of(at.node), y = -static_cast<double>(mesh.row_of(at.node));
    if (at.side == sw::Side::east) x += 0.8;
    if (at.side == sw::Side::west) x -= 0.8;
    if (at.side == sw::Side::north) y += 0.8;
    if (at.side == sw::Side::south) y -= 0.8;
    text += fmt::format(
        "  io{} [shape=ellipse, fillcolor=\"#fdeedd\", color=\"#d07a1e\", pos=\"{},{}!\"];\n"
        "  io{} -- \"{}\" [color=\"#d07a1e\"];\n",
        c, x, y, c, mesh.name_of(at.node));
  }
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    for (const sw::Side side : {sw::Side::east, sw::Side::south}) {
      if (const auto other = mesh.neighbour(n, side))
        text +=
            fmt::format("  \"{}\" -- \"{}\" [color=\"#3b73b9\"];\n", mesh.name_of(n), mesh.name_of(*other));
    }
  }
  return text + "}\n";
}

}  // namespace fredsim::tb
