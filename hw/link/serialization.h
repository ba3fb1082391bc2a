#pragma once

#include <cstdint>

#include "hw/core/quantity.h"

namespace fredsim::hw {

/// How long packets take to enter a link. Nearly all packets have one size, so the last answer is kept: the
/// exact division costs more than the rest of a hop's arithmetic.
class Serialization {
 public:
  explicit Serialization(Bandwidth bandwidth) : bandwidth_(bandwidth) {}

  Time time_for(std::uint64_t bytes) {
    if (bytes != bytes_) {
      bytes_ = bytes;
      time_ = bandwidth_.time_for(bytes);
    }
    return time_;
  }

 private:
  Bandwidth bandwidth_;
  std::uint64_t bytes_ = 0;
  Time time_;
};

}  // namespace fredsim::hw
