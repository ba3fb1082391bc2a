#include "hw/link/sim_time.h"

#include "hw/core/error.h"

namespace fredsim::hw {

void set_time_resolution() {
  if (sc_core::sc_start_of_simulation_invoked()) {
    throw InternalError("SystemC runs one simulation a process, and this process has had one");
  }
  static bool set = false;  // the kernel takes it once a process
  if (set) return;
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  set = true;
}

}  // namespace fredsim::hw
