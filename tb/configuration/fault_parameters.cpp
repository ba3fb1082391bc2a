#include <string>
#include <vector>

#include "tb/configuration/declaration.h"
#include "tb/configuration/parameter_groups.h"

namespace fredsim::tb {

template <>
const std::vector<std::string>& names_of<Reliability>() {
  static const std::vector<std::string> names{"auto", "none", "link"};
  return names;
}

void add_reliability_parameter(ParameterList& list) {
  list.push_back(
      enumeration(
          "reliability", [](auto& c) -> auto& { return c.reliability_choice; })
          .defaults_to("auto")
          .means("How packets that are lost are made good: every link resends for itself (link), or "
                 "not at all (none); auto is link where faults are configured and none elsewhere.")
          .source("free choice"));
}

void add_fault_parameters(ParameterList& list) {
  list.push_back(real(
                     "faults.bit_error_rate", [](auto& c) -> auto& { return c.faults.bit_error_rate; })
                     .unit("per bit")
                     .range("0", "1")
                     .defaults_to("0")
                     .means("Probability that a bit of a packet is wrong on a link, each bit and link for "
                            "itself.")
                     .source("free choice"));
  list.push_back(fault_script(
                     "faults.script", [](auto& c) -> auto& { return c.faults.script; })
                     .defaults_to("[]")
                     .requires_that("a list of {link: NAME, ...} and {npu: N, ...}, or the name of a YAML "
                                    "file that holds one")
                     .means("What goes wrong where and when: packets, links and NPUs, one entry each.")
                     .source("free choice"));
}

}  // namespace fredsim::tb
