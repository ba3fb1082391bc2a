#pragma once

#include <cstdint>
#include <vector>

#include "accel/npu/program.h"

namespace fredsim::accel {

/// Runs the compute parts of a program, one at a time and in the program's order. Those that take no time (they only
/// carry an order) never occupy it, so they never hold up others.
class ComputeEngine {
 public:
  static bool uses_engine(const Part& part) {
    return part.type == hw::OperationType::compute && part.duration > hw::Time();
  }

  explicit ComputeEngine(const Program& program);

  void part_ready(std::uint32_t part) { ready_[part] = true; }
  /// The part to start now, if the engine is free and the next part in order is ready; it is then busy with
  /// it.
  bool start(std::uint32_t& part);
  /// The part that was started has ended.
  void end();
  /// The compute part that must end before any later one starts, UINT32_MAX when all have ended.
  std::uint32_t turn() const { return turn_ < parts_.size() ? parts_[turn_] : UINT32_MAX; }

 private:
  std::vector<std::uint32_t> parts_;  ///< compute parts in order
  std::vector<bool> ready_;           ///< by part
  std::size_t turn_ = 0;
  bool busy_ = false;
};

}  // namespace fredsim::accel
