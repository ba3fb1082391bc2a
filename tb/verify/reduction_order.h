#pragma once

#include <cstdint>
#include <vector>

#include "hw/core/records.h"

namespace fredsim::tb {

/// The order in which a network adds up the members of a group. Rounded sums depend on it, so that the golden
/// model must know it; it comes from the hardware's structure alone, never from a plan or a routing.
class ReductionOrder {
 public:
  /// operand[left] = operand[left] op operand[right], where operand i is the data of members[i].
  struct Step {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
  };

  virtual ~ReductionOrder() = default;
  /// Every member but one is a right operand once; the result is the left operand of the last step.
  virtual std::vector<Step> steps(const hw::Group& members) const = 0;
};

/// ((0 + 1) + 2) + ... over the ranks.
class RankOrder : public ReductionOrder {
 public:
  std::vector<Step> steps(const hw::Group& members) const override;
};

/// One switch FRED_m(P) with NPU i on port i (FRED sec. 4): ports 2k and 2k + 1 are added first, the lower
/// one on the left, an odd last port passes on, and so again over the ceil(P / 2) results; ports of no member
/// are absent.
class SwitchOrder : public ReductionOrder {
 public:
  explicit SwitchOrder(std::uint32_t ports) : ports_(ports) {}
  std::vector<Step> steps(const hw::Group& members) const override;

 private:
  std::uint32_t ports_;
};

}  // namespace fredsim::tb
