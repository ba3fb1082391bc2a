#include "hw/link/sim_time.h"

namespace fredsim::hw {

void set_time_resolution() {
  static bool set = false;  // the kernel takes it once a process
  if (set) return;
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  set = true;
}

}  // namespace fredsim::hw
