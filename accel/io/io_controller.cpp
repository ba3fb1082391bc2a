#include "accel/io/io_controller.h"

namespace fredsim::accel {

IoController::IoController(sc_core::sc_module_name name, const NpuConfig& config, const Program& program,
                           const NpuServices& services)
    : sc_module(name), config_(config), program_(program) {
  if (program_.parts.empty()) {
    NetworkInterface::Listener& self = *this;
    interface_ = std::make_unique<NetworkInterface>("interface", config_, program_, services, self);
  } else {
    streams_ = std::make_unique<Npu>("streams", config_, program_, services);
  }
}

std::vector<const hw::VcBuffer*> IoController::buffers() const {
  if (streams_) return streams_->buffers();
  std::vector<const hw::VcBuffer*> result;
  for (const hw::VcBuffer& buffer : interface_->buffers()) result.push_back(&buffer);
  return result;
}

}  // namespace fredsim::accel
