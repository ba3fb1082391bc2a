// A reduction micro-switch of one's own in place of ours: how wide must its adder be? This one adds INT32
// with an adder of some bits that saturates, and counts the sums that do not fit. The library's scoreboard
// says what that costs.
//   own_micro_switch CONFIG TRACE BITS
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "hw/core/error.h"
#include "tb/configuration/configuration.h"
#include "tb/systems/simulation.h"
#include "traces/chakra/load.h"
using namespace fredsim;

/// Counted over all micro-switches of the simulation.
struct Adders {
  std::int64_t largest = 0;  ///< that an adder can give
  std::uint64_t sums = 0, saturated = 0;
};

class SaturatingMicroSwitch : public sw::MicroSwitch {
 public:
  SaturatingMicroSwitch(sc_core::sc_module_name name, hw::Context& context,
                        const sw::MicroSwitchConfig& config, const sw::ActiveCircuit& active, Adders& adders)
      : MicroSwitch(name, context, config, active), adders_(adders) {}

 private:
  bool can_reduce() const override { return true; }
  bool can_copy() const override { return config().kind == sw::ElementKind::rd; }  // an R has one output

  /// The operands of one flow, by input; what it gives leaves a hop later. All else is the base class's.
  hw::PacketRef process(const std::vector<hw::PacketRef>& operands) override {
    if (operands.size() == 1) return operands[0];
    const hw::PacketHeader& header = operands[0].header();
    if (header.dtype != hw::DType::int32 || header.op != hw::ReduceOp::sum || !hw::data_of(*operands[0])) {
      throw hw::InputError(std::string(name()) + ": this adder adds INT32, and needs data");
    }
    // A packet in flight is read-only, so the sum is a packet of its own.
    const std::uint32_t bytes = operands[0]->get_data_length();
    hw::PacketHeader sum_header = header;
    sum_header.injected = std::max(header.injected, operands[1].header().injected);
    hw::PacketRef sum = context().packets.make_with_room(sum_header, operands[0]->get_address(), bytes);
    for (std::uint32_t at = 0; at < bytes; at += 4) {
      std::int32_t a = 0, b = 0;
      std::memcpy(&a, hw::data_of(*operands[0]) + at, 4);
      std::memcpy(&b, hw::data_of(*operands[1]) + at, 4);
      const std::int64_t exact = std::int64_t{a} + b;
      const auto kept = static_cast<std::int32_t>(std::clamp(exact, -adders_.largest - 1, adders_.largest));
      std::memcpy(sum->get_data_ptr() + at, &kept, 4);
      ++adders_.sums;
      adders_.saturated += kept != exact;
    }
    return sum;
  }

  Adders& adders_;
};

int sc_main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: own_micro_switch CONFIG TRACE BITS\n"), 2;
  // Only in this abstraction is every micro-switch a module.
  const tb::Configuration configuration =
      tb::load_configuration(argv[1], {"switch.abstraction=microswitch", "data.dtype=int32"});
  Adders adders;
  adders.largest = (std::int64_t{1} << (std::atoi(argv[3]) - 1)) - 1;
  tb::Factories factories;
  factories.switch_parts.micro_switch =
      [&adders](sc_core::sc_module_name name, hw::Context& context, const sw::MicroSwitchConfig& config,
                const sw::ActiveCircuit& active) -> std::unique_ptr<sw::MicroSwitch> {
    const bool adds = config.kind == sw::ElementKind::r || config.kind == sw::ElementKind::rd;
    if (!adds) return sw::make_micro_switch(name, context, config, active);
    return std::make_unique<SaturatingMicroSwitch>(name, context, config, active, adders);
  };
  tb::Simulation simulation(configuration, trace::load(argv[2], configuration.npus()), {}, factories);
  const tb::Result& result = simulation.run();
  std::printf("%s", summary(result).c_str());
  std::printf("%llu sums, %llu of them saturated\n", static_cast<unsigned long long>(adders.sums),
              static_cast<unsigned long long>(adders.saturated));
  return exit_code(result.status);
}
