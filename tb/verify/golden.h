#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "hw/core/pattern.h"
#include "hw/core/records.h"
#include "tb/verify/reduction_order.h"
#include "tb/verify/result_layout.h"

namespace fredsim::tb {

/// What every result must be, from the trace's meaning, the data pattern and (for rounded sums) the
/// hardware's order of additions; it never looks at the plan. Since data repeats with the pattern's period,
/// at most one period of a sum is computed, when first asked for, and shared by all receivers.
class Golden {
 public:
  /// `layout` and `order` must outlive it. Data of the pattern `exact` is added in rank order. `shares`: see
  /// DataPattern.
  Golden(const ResultLayout& layout, hw::PatternKind pattern, std::uint64_t seed, const ReductionOrder& order,
         std::uint32_t shares = 1);

  /// What `operation` must move of `npu` is not the pattern's: see DataPattern::place.
  void place(hw::OperationId operation, hw::NpuId npu, const std::byte* data) {
    pattern_.place(operation, npu, data);
  }

  struct View {
    const std::byte* data = nullptr;
    std::uint32_t bytes = 0;
  };
  /// Expected bytes of `piece`, a piece of the result of `operation`, from byte `first` of the result buffer
  /// on: at least one whole element and at most `bytes` of them. Valid until the next call or release().
  View view(hw::OperationId operation, const ResultLayout::Piece& piece, std::uint64_t first,
            std::uint32_t bytes);

  /// Frees what is kept for an operation that is over.
  void release(hw::OperationId operation) { sums_.erase(operation); }
  /// Operations whose sums are kept now.
  std::size_t kept() const { return sums_.size(); }

 private:
  /// The sums of one operation.
  struct Sums {
    ReductionOrder::Orders orders;
    std::vector<std::vector<std::byte>>
        of_order;  ///< a period, or all if that is less; empty until asked for
  };

  Sums& sums(hw::OperationId operation);
  const std::vector<std::byte>& sum(hw::OperationId operation, Sums& sums, std::uint32_t order);

  const ResultLayout& layout_;
  const ReductionOrder& order_;
  hw::DataPattern pattern_;
  std::unordered_map<hw::OperationId, Sums> sums_;
};

}  // namespace fredsim::tb
