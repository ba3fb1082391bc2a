#include "accel/io/io_controller.h"

namespace fredsim::accel {

IoController::IoController(sc_core::sc_module_name name, const NpuConfig& config, const NpuServices& services)
    : sc_module(name), config_(config), interface_("interface", config_, program_, services, *this) {}

}  // namespace fredsim::accel
