#pragma once

#include "tb/plan/endpoint.h"
#include "tb/verify/step_order.h"

namespace fredsim::tb {

/// The network's own order, and for endpoint collectives that of their algorithms.
class PlannedOrder : public ReductionOrder {
 public:
  /// Both must outlive it.
  PlannedOrder(const ReductionOrder& network, const std::vector<PlannedOperation>& operations)
      : network_(network), operations_(operations) {}

  std::vector<Step> steps(const hw::Group& members) const override { return network_.steps(members); }
  Orders orders(hw::OperationId id, const hw::Group& members, std::uint64_t elements) const override {
    const auto& endpoint = operations_[id.value].endpoint;
    if (!endpoint) return network_.orders(id, members, elements);
    return orders_of_steps(endpoint->request, endpoint->steps);
  }

 private:
  const ReductionOrder& network_;
  const std::vector<PlannedOperation>& operations_;
};

}  // namespace fredsim::tb
