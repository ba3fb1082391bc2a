#include <string>

#include "tb/configuration/declaration.h"
#include "tb/configuration/parameter_groups.h"

namespace fredsim::tb {

void add_collective_parameters(ParameterList& list) {
  list.push_back(
      enumeration(
          "collective.algorithm", [](auto& c) -> auto& { return c.collective.algorithm; })
          .defaults_to("auto")
          .means("Who carries out collectives whose line of the trace names no algorithm: the switches "
                 "(in-network; auto too), or the NPUs among themselves by one of the others.")
          .source("FRED table 5: in-network for Fred-B and Fred-D, hierarchical-ring for Fred-A and Fred-C"));
  for (const hw::TrafficClass c : {hw::TrafficClass::mp, hw::TrafficClass::pp, hw::TrafficClass::dp}) {
    const std::string name(hw::to_string(c));
    list.push_back(enumeration(
                       "collective." + name,
                       [i = hw::index(c)](auto& config) -> auto& { return config.collective.of_class[i]; })
                       .defaults_from("collective.algorithm")
                       .means("The same for the traffic class " + name + " only."));
  }
  list.push_back(
      integer(
          "collective.chunks", [](auto& c) -> auto& { return c.collective.chunks; })
          .unit("chunks")
          .range("1", "1024")
          .defaults_to("16")
          .means("Pieces that an endpoint collective is cut into, which go through the algorithm one "
                 "behind the other; fewer where a message would not fill a packet.")
          .source("free choice"));
}

}  // namespace fredsim::tb
