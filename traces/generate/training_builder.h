#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/records.h"
#include "traces/generate/training.h"

namespace fredsim::trace {

using Operations = std::vector<hw::OperationId>;

/// Who works on what: the m-th MP peer of stage p of replica d.
struct Worker {
  std::uint32_t m = 0, p = 0, d = 0;
};

/// The operations of a training workload, layer by layer, as both modes need them. What a worker has to wait
/// for before its next compute is kept by worker.
class TrainingBuilder {
 public:
  explicit TrainingBuilder(const TrainingPattern& pattern);

  const TrainingPattern& pattern() const { return pattern_; }
  /// Every layer on its own.
  const std::vector<Layer>& layers() const { return layers_; }
  std::uint32_t index(Worker w) const { return w.m + pattern_.mp * (w.p + pattern_.pp * w.d); }
  std::uint32_t workers() const { return pattern_.mp * pattern_.pp * pattern_.dp; }
  hw::Group dp_group(std::uint32_t m, std::uint32_t p) const;

  /// All peers of stage p, replica d, go through a layer with a microbatch: compute and all-reduces.
  void pass(const std::string& id, std::uint32_t layer, std::uint32_t p, std::uint32_t d, bool backward);
  /// What stage `from` has of the output of `layer` goes to the peers of stage `to`.
  hw::OperationId hand_over(const std::string& id, std::uint32_t layer, std::uint32_t from, std::uint32_t to,
                            std::uint32_t d);
  /// Input data of one iteration, by m, for all workers of stage 0, behind `after` of each (empty: at once).
  /// Nothing if the model takes none.
  Operations load_input(const std::string& id, const Operations& after);
  /// The next computes of the workers of stage 0 wait for the input.
  void use_input(const Operations& loaded);

  /// `operation` (its id, type, npus, ...) at the end; `after` without doubles.
  hw::OperationId add(hw::Operation operation);

  /// By worker: what its next compute waits for; and its last compute.
  std::vector<Operations> waits;
  std::vector<std::optional<hw::OperationId>> last;

  hw::Workload take() { return std::move(workload_); }

 private:
  hw::NpuId npu(Worker w) const;

  const TrainingPattern& pattern_;
  std::vector<Layer> layers_;
  hw::Workload workload_;
};

/// Bytes of FP16 elements, rounded up to whole ones.
std::uint64_t fp16_bytes(double elements);

void add_stationary(TrainingBuilder& builder);
void add_streaming(TrainingBuilder& builder);

}  // namespace fredsim::trace
