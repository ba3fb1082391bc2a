#pragma once

#include <cstdint>

namespace fredsim::hw {

/// A recorded signal has `value` from `at_fs` on. `slot` counts the recorded signals.
struct ValueChange {
  std::int64_t at_fs;
  std::int64_t value;
  std::uint32_t slot;
};

}  // namespace fredsim::hw
