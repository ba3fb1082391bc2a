#include "tb/configuration/declaration.h"
#include "tb/configuration/parameter_groups.h"

namespace fredsim::tb {

void add_cost_parameters(ParameterList& list) {
  list.push_back(file(
                     "cost.coefficients", [](auto& c) -> auto& { return c.cost.coefficients; })
                     .defaults_to("default")
                     .requires_that("a YAML file, inside a configuration relative to it; or default")
                     .means("Areas and energies of the parts, from which area, power and energy are "
                            "computed; they alter no other result.")
                     .source("docs/hardware-cost.md"));
}

}  // namespace fredsim::tb
