#include <string>

#include "switch/mesh/mesh.h"
#include "tb/configuration/declaration.h"
#include "tb/configuration/parameter_groups.h"

namespace fredsim::tb {

void add_mesh_parameters(ParameterList& list) {
  const std::string most = std::to_string(sw::max_mesh_side);
  list.push_back(integer(
                     "mesh.columns", [](auto& c) -> auto& { return c.mesh.columns; })
                     .only_in(SystemKind::mesh)
                     .unit("routers")
                     .range("1", most)
                     .defaults_to("4")
                     .means("Routers in a row, each with an NPU; NPUs are numbered row by row.")
                     .source("FRED sec. 7.1"));
  list.push_back(integer(
                     "mesh.rows", [](auto& c) -> auto& { return c.mesh.rows; })
                     .only_in(SystemKind::mesh)
                     .unit("routers")
                     .range("1", most)
                     .defaults_to("5")
                     .means("Routers in a column.")
                     .source("FRED sec. 7.1"));
  list.push_back(time(
                     "mesh.hop_latency", [](auto& c) -> auto& { return c.mesh.hop_latency; })
                     .only_in(SystemKind::mesh)
                     .range("0 ns", "1 s")
                     .defaults_to("0.2 ns")
                     .means("Time a packet's head takes through a router.")
                     .source("assumed: as a micro-switch"));
  list.push_back(
      integer(
          "mesh.staging", [](auto& c) -> auto& { return c.mesh.staging; })
          .only_in(SystemKind::mesh)
          .unit("packets")
          .range("1", "64")
          .defaults_to("3")
          .means("Packets that each output of a router can hold per virtual channel in front of its link.")
          .source("assumed: as a FRED switch"));
}

}  // namespace fredsim::tb
