#include "hw/link/sim_time.h"

namespace fredsim::hw {

void set_time_resolution() {
  const sc_core::sc_time resolution = sc_core::sc_get_time_resolution();
  if (resolution != sc_core::sc_time(1, sc_core::SC_FS)) sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
}

}  // namespace fredsim::hw
