#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "accel/npu/program.h"

namespace fredsim::accel {

/// Which parts of a program wait for which: says when one may start.
class Dependencies {
 public:
  explicit Dependencies(const Program& program);

  /// Parts that wait for nothing.
  std::vector<std::uint32_t> initially_ready() const;
  /// `part` has ended at this NPU: appends the parts that may start because of it.
  void part_ended(std::uint32_t part, std::vector<std::uint32_t>& ready);
  /// `operation` has ended everywhere.
  void operation_ended(hw::OperationId operation, std::vector<std::uint32_t>& ready);

  bool ended(std::uint32_t part) const { return ended_[part]; }
  bool is_ready(std::uint32_t part) const { return waits_for_[part] == 0; }
  /// Operations whose end everywhere some part waits for, ascending.
  std::vector<hw::OperationId> awaited_operations() const;

 private:
  void release(const std::vector<std::uint32_t>& parts, std::vector<std::uint32_t>& ready);

  std::vector<std::uint32_t> waits_for_;                ///< by part: parts and operations not ended
  std::vector<std::vector<std::uint32_t>> dependents_;  ///< by part
  std::unordered_map<hw::OperationId, std::vector<std::uint32_t>> waiting_for_all_;
  std::vector<bool> ended_;
};

}  // namespace fredsim::accel
