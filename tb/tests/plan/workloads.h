#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hw/core/records.h"

namespace fredsim::tb::testing {

inline hw::Group npus(std::vector<std::uint32_t> values) {
  hw::Group group;
  for (const std::uint32_t v : values) group.emplace_back(v);
  return group;
}

/// Builds a workload operation by operation, as the reader of traces would.
class WorkloadBuilder {
 public:
  explicit WorkloadBuilder(std::uint32_t system_npus = 8) {
    workload_.name = "test";
    workload_.source = "test.jsonl";
    workload_.npus = system_npus;
  }

  hw::OperationId add(std::string id, hw::OperationType type, const std::vector<std::uint32_t>& group,
                      std::uint64_t bytes = 0, std::vector<hw::OperationId> after = {}) {
    hw::Operation operation;
    operation.id = std::move(id);
    operation.type = type;
    operation.npus = npus(group);
    operation.bytes = bytes;
    operation.after = std::move(after);
    operation.line = static_cast<std::uint32_t>(workload_.operations.size()) + 2;
    workload_.operations.push_back(std::move(operation));
    return hw::OperationId(static_cast<std::uint32_t>(workload_.operations.size()) - 1);
  }

  /// A send and, right behind it, its receive.
  std::pair<hw::OperationId, hw::OperationId> add_message(const std::string& id, std::uint32_t from,
                                                          std::uint32_t to, std::uint64_t bytes) {
    const hw::OperationId send = add(id + ".send", hw::OperationType::send, {from}, bytes);
    const hw::OperationId recv = add(id + ".recv", hw::OperationType::recv, {to}, bytes);
    at(send).peer = hw::NpuId(to);
    at(send).partner = recv;
    at(recv).peer = hw::NpuId(from);
    at(recv).partner = send;
    return {send, recv};
  }

  hw::Operation& at(hw::OperationId o) { return workload_.operations[o.value]; }
  hw::Workload& workload() { return workload_; }

 private:
  hw::Workload workload_;
};

}  // namespace fredsim::tb::testing
