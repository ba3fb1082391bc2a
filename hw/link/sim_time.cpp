#include "hw/link/sim_time.h"

namespace fredsim::hw {

void set_time_resolution() {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
}

}  // namespace fredsim::hw
