#pragma once

#include <cstddef>

#include "hw/core/dtype.h"

namespace fredsim::hw {

/// One implementation of the arithmetic that reduce.h promises, as tables of loops. Internal to reduce*.cpp.
struct ReduceKernels {
  /// out[i] = a[i] op b[i]; `out` may be `a` or `b`.
  using Binary = void (*)(const std::byte* a, const std::byte* b, std::byte* out, std::size_t count);
  using Unary = void (*)(const std::byte* in, std::byte* out, std::size_t count);

  const char* name;
  Binary reduce[4][3];      ///< [DType][ReduceOp]
  Binary accumulate[3][3];  ///< [DType][ReduceOp]: `a` and `out` are FP32, `b` is of the dtype
  Unary widen[3];           ///< [DType], to FP32
  Unary round[3];           ///< [DType], from FP32
};

/// Plain C++, on any processor.
const ReduceKernels& generic_reduce_kernels();
/// With AVX2 and F16C instructions, or null when this processor has none of them.
const ReduceKernels* avx2_reduce_kernels();

}  // namespace fredsim::hw
