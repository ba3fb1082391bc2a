#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "hw/core/reduce.h"

namespace fredsim::hw {

/// Both implementations on the same operands: {what the processor offers, generic}. On a processor without
/// AVX2 they are one.
template <class Bits>
struct Both {
  std::vector<Bits> fast, generic;
};

template <class Bits>
Both<Bits> reduce_both(DType dtype, ReduceOp op, const std::vector<Bits>& a, const std::vector<Bits>& b) {
  Both<Bits> out{std::vector<Bits>(a.size()), std::vector<Bits>(a.size())};
  force_generic_reduce(false);
  reduce(dtype, op, a.data(), b.data(), out.fast.data(), a.size());
  force_generic_reduce(true);
  reduce(dtype, op, a.data(), b.data(), out.generic.data(), a.size());
  force_generic_reduce(false);
  return out;
}

template <class To, class From>
To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(static_cast<void*>(&to), &from, sizeof to);
  return to;
}

}  // namespace fredsim::hw
