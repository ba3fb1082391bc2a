#pragma once

#include <cstddef>

#include "hw/core/dtype.h"

namespace fredsim::hw {

/// out[i] = a[i] op b[i] for `count` elements of `dtype`, rounded to nearest even in the dtype itself. `out`
/// may be `a` or `b`; nothing need be aligned. INT32 sums wrap modulo 2^32. A NaN in either operand gives the
/// one quiet NaN of the dtype (FP16 0x7e00, BF16 0x7fc0, FP32 0x7fc00000) for sum, min and max alike; min and
/// max order -0 below +0. Infinities add as in IEEE 754 (inf - inf is that NaN); overflow gives infinity;
/// subnormals are kept.
void reduce(DType dtype, ReduceOp op, const void* a, const void* b, void* out, std::size_t count);

/// FP32 accumulators for FP16, BF16 and FP32 elements (INT32 accumulates in INT32 by `reduce`):
/// acc[i] = acc[i] op widen(in[i]), rounded to FP32, NaN rules as above.
void accumulate_fp32(DType dtype, ReduceOp op, float* acc, const void* in, std::size_t count);

/// Widen elements to FP32, exactly (NaN to the quiet NaN), and round FP32 back to the dtype, to nearest even.
void widen_to_fp32(DType dtype, const void* in, float* out, std::size_t count);
void round_from_fp32(DType dtype, const float* in, void* out, std::size_t count);

/// The instruction set the kernels run with on this processor ("avx2+f16c", "generic"); all give the same
/// bits.
const char* reduce_kernel_name();
/// For tests: use the portable kernels from now on (true), or what the processor offers (false).
void force_generic_reduce(bool generic);

}  // namespace fredsim::hw
