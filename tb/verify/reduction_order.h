#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hw/core/records.h"
#include "switch/fabric/tree.h"

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

  /// Elements of a sum that are all added in one order.
  struct Stretch {
    std::uint64_t end = 0;  ///< they begin where the stretch before ends
    std::uint32_t order = 0;
  };
  struct Orders {
    std::vector<Stretch> stretches;         ///< ascending; together all elements
    std::vector<std::vector<Step>> orders;  ///< distinct ones
  };
  /// The orders in which an operation's `elements` are added; one for all unless its algorithm has more.
  virtual Orders orders(hw::OperationId, const hw::Group& members, std::uint64_t elements) const {
    return {{{elements, 0}}, {steps(members)}};
  }
};

/// ((0 + 1) + 2) + ... over the ranks.
class RankOrder : public ReductionOrder {
 public:
  std::vector<Step> steps(const hw::Group& members) const override;
};

/// A tree of switches FRED_m(P) (FRED sec. 4, 6): each adds up what its ports give, lower levels first. Of
/// its ports, 2k and 2k + 1 are added first, the lower one on the left, an odd last port passes on, and so
/// again over the ceil(P / 2) results; ports of no member are absent.
class TreeOrder : public ReductionOrder {
 public:
  explicit TreeOrder(sw::TreeShape shape) : shape_(std::move(shape)) {}
  std::vector<Step> steps(const hw::Group& members) const override;

 private:
  sw::TreeShape shape_;
};

}  // namespace fredsim::tb
