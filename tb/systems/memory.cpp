#include "tb/systems/memory.h"

#include <fmt/format.h>

#include "hw/core/error.h"

namespace fredsim::tb {
namespace {

std::string in_gigabytes(std::uint64_t bytes) {
  return fmt::format("{:.3g} GB", static_cast<double>(bytes) / 1e9);
}

}  // namespace

void check_memory(const Configuration& configuration, const hw::Workload& workload) {
  const hw::Capacity memory = configuration.npu.memory;
  if (!workload.memory || memory.is_unlimited() || workload.memory->total() <= memory.bytes()) return;
  const hw::MemoryNeed& need = *workload.memory;
  throw hw::InputError(fmt::format(
      "{}: an NPU would have to keep {} (weights {}, gradients {}, optimizer {}, activations {}), and "
      "npu.memory is "
      "{}; more pipeline or model parallelism, weight streaming or more memory would do",
      workload.source, in_gigabytes(need.total()), in_gigabytes(need.weights), in_gigabytes(need.gradients),
      in_gigabytes(need.optimizer), in_gigabytes(need.activations), in_gigabytes(memory.bytes())));
}

}  // namespace fredsim::tb
