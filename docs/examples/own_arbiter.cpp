// An arbiter of one's own in place of ours: first come, first served, whatever the class.
//   own_arbiter CONFIG TRACE
#include <algorithm>
#include <cstdio>

#include "tb/configuration/configuration.h"
#include "tb/systems/simulation.h"
#include "traces/chakra/load.h"
using namespace fredsim;

struct FirstCome : sw::Arbiter {
  std::size_t choose(const std::vector<sw::Candidate>& candidates, std::uint32_t /*current*/) override {
    const auto oldest =
        std::min_element(candidates.begin(), candidates.end(),
                         [](const sw::Candidate& a, const sw::Candidate& b) { return a.ready < b.ready; });
    return static_cast<std::size_t>(oldest - candidates.begin());
  }
};

int sc_main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: own_arbiter CONFIG TRACE\n"), 2;
  const tb::Configuration configuration = tb::load_configuration(argv[1]);
  tb::Factories factories;
  factories.switch_parts.arbiter = [] { return std::make_unique<FirstCome>(); };
  tb::Simulation simulation(configuration, trace::load(argv[2], configuration.npus()), {}, factories);
  const tb::Result& result = simulation.run();
  std::printf("%s", summary(result).c_str());
  return exit_code(result.status);
}
