#pragma once

#include <cstdint>

#include "accel/collective/algorithm.h"
#include "tb/verify/reduction_order.h"

namespace fredsim::tb {

/// The orders in which a collective's steps add up its elements: what carrying them out one after the other
/// gives, whatever the NPUs that do it really do.
ReductionOrder::Orders orders_of_steps(const accel::CollectiveRequest& request, const accel::Steps& steps);

}  // namespace fredsim::tb
