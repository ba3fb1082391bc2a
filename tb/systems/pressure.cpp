#include "tb/systems/pressure.h"

#include "hw/core/random.h"

namespace fredsim::tb {

void delay_starts(std::vector<accel::Program>& programs, const PressureConfiguration& pressure) {
  hw::Random random(~pressure.seed);  // not the numbers of the links
  const auto most = static_cast<std::uint64_t>(pressure.start.fs()) + 1;
  for (accel::Program& program : programs) {
    for (accel::Part& part : program.parts) {
      if (random.below(2) == 0) continue;
      part.start_delay = hw::Time::fs(static_cast<std::int64_t>(random.below(most)));
    }
  }
}

}  // namespace fredsim::tb
