#include <cstdio>

#include "switch/microswitch/factory.h"
#include "switch/microswitch/reduction_alu.h"
#include "tb/configuration/configuration.h"
#include "tb/systems/simulation.h"
#include "traces/chakra/load.h"
using namespace fredsim;

// Serves whoever has been ready longest, whatever its class.
struct FirstCome : sw::Arbiter {
  std::size_t choose(const std::vector<sw::Candidate>& candidates, std::uint32_t /*current*/) override {
    std::size_t oldest = 0;
    for (std::size_t i = 1; i < candidates.size(); ++i) {
      if (candidates[i].ready < candidates[oldest].ready) oldest = i;
    }
    return oldest;
  }
};

// Adds in place of ours, and tells how often.
struct CountingMicroSwitch : sw::MicroSwitch {
  static inline unsigned sums = 0;
  sw::ReductionAlu alu;

  CountingMicroSwitch(sc_core::sc_module_name name, hw::Context& context, const sw::MicroSwitchConfig& config,
                      const sw::ActiveCircuit& active)
      : MicroSwitch(name, context, config, active), alu(context, config.path) {}
  bool can_reduce() const override { return true; }
  bool can_copy() const override { return true; }
  hw::PacketRef process(const std::vector<hw::PacketRef>& operands) override {
    if (operands.size() == 1) return operands[0];
    ++sums;
    return alu.reduce(*operands[0], *operands[1]);
  }
};

int sc_main(int, char**) {
  const auto configuration =
      tb::load_configuration("tb/configs/single_switch.yaml", {"switch.abstraction=microswitch"});
  tb::Factories factories;
  factories.switch_parts.arbiter = [] { return std::make_unique<FirstCome>(); };
  factories.switch_parts.micro_switch =
      [](sc_core::sc_module_name name, hw::Context& context, const sw::MicroSwitchConfig& config,
         const sw::ActiveCircuit& active) -> std::unique_ptr<sw::MicroSwitch> {
    if (config.kind != sw::ElementKind::rd) return sw::make_micro_switch(name, context, config, active);
    return std::make_unique<CountingMicroSwitch>(name, context, config, active);
  };
  tb::Simulation simulation(configuration,
                            trace::load("traces/samples/three_classes_8npus.jsonl", configuration.sw.ports),
                            {}, factories);
  const tb::Result& result = simulation.run();
  std::printf("%s%u sums in the innermost micro-switches\n", summary(result).c_str(),
              CountingMicroSwitch::sums);
  return exit_code(result.status);
}
