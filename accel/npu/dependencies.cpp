#include "accel/npu/dependencies.h"

#include <algorithm>

namespace fredsim::accel {

Dependencies::Dependencies(const Program& program)
    : waits_for_(program.parts.size()), dependents_(program.parts.size()), ended_(program.parts.size()) {
  for (std::uint32_t p = 0; p < program.parts.size(); ++p) {
    const Part& part = program.parts[p];
    waits_for_[p] = static_cast<std::uint32_t>(part.after.size() + part.after_all.size());
    for (const std::uint32_t earlier : part.after) dependents_[earlier].push_back(p);
    for (const hw::OperationId operation : part.after_all) waiting_for_all_[operation].push_back(p);
  }
}

std::vector<std::uint32_t> Dependencies::initially_ready() const {
  std::vector<std::uint32_t> ready;
  for (std::uint32_t p = 0; p < waits_for_.size(); ++p) {
    if (waits_for_[p] == 0) ready.push_back(p);
  }
  return ready;
}

void Dependencies::part_ended(std::uint32_t part, std::vector<std::uint32_t>& ready) {
  ended_[part] = true;
  release(dependents_[part], ready);
}

void Dependencies::operation_ended(hw::OperationId operation, std::vector<std::uint32_t>& ready) {
  const auto found = waiting_for_all_.find(operation);
  if (found != waiting_for_all_.end()) release(found->second, ready);
}

void Dependencies::release(const std::vector<std::uint32_t>& parts, std::vector<std::uint32_t>& ready) {
  for (const std::uint32_t part : parts) {
    if (--waits_for_[part] == 0) ready.push_back(part);
  }
}

std::vector<hw::OperationId> Dependencies::awaited_operations() const {
  std::vector<hw::OperationId> operations;
  for (const auto& entry : waiting_for_all_) operations.push_back(entry.first);
  std::sort(operations.begin(), operations.end());
  return operations;
}

}  // namespace fredsim::accel
