#pragma once

#include "hw/core/records.h"

namespace fredsim::hw {

/// Whether the members' data are added up on the way: those of a reduction, and of a store that is no store
/// of shards.
inline bool reduces(const Operation& operation) {
  return reduces(operation.type) || (operation.type == OperationType::store && operation.mode != "shard");
}

}  // namespace fredsim::hw
