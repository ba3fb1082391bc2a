#include "accel/npu/compute_engine.h"

namespace fredsim::accel {

ComputeEngine::ComputeEngine(const Program& program) : ready_(program.parts.size()) {
  for (std::uint32_t p = 0; p < program.parts.size(); ++p) {
    if (uses_engine(program.parts[p])) parts_.push_back(p);
  }
}

bool ComputeEngine::start(std::uint32_t& part) {
  if (busy_ || turn_ == parts_.size() || !ready_[parts_[turn_]]) return false;
  busy_ = true;
  part = parts_[turn_];
  return true;
}

void ComputeEngine::end() {
  busy_ = false;
  ++turn_;
}

}  // namespace fredsim::accel
