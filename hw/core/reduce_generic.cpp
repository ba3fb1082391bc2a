#include <algorithm>
#include <cstdint>
#include <cstring>

#include "hw/core/reduce_kernels.h"

// Written without branches on the data, so that compilers vectorize the loops.
//
// FP16 and BF16 sums are formed in FP32 and rounded once more. That is correctly rounded: FP32 has 24
// significant bits, and rounding a sum of two q-bit numbers first to p >= 2q + 2 bits and then to q bits
// never differs from rounding it once (2 * 11 + 2 = 24 for FP16, 2 * 8 + 2 = 18 for BF16; Figueroa, "When is
// double rounding innocuous?", 1995). Sums in the subnormal range of FP16 or BF16 are exact in FP32.

namespace fredsim::hw {
namespace {

float as_float(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint32_t as_bits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// `yes` or `no` by masking: from ?: compilers make a branch around a floating-point operation, and then no
/// vectors.
std::uint32_t select(bool condition, std::uint32_t yes, std::uint32_t no) {
  const std::uint32_t mask = 0u - std::uint32_t{condition};
  return (yes & mask) | (no & ~mask);
}

/// A format says how its elements widen to FP32 and are rounded from it (to nearest even, any NaN to `nan`).
struct Fp32 {
  using Bits = std::uint32_t;
  using Signed = std::int32_t;
  static constexpr Bits infinity = 0x7f800000, nan = 0x7fc00000;

  static float widen(Bits bits) { return as_float(bits); }
  static Bits round(float value) {
    const Bits bits = as_bits(value);
    return (bits & 0x7fffffff) > infinity ? nan : bits;
  }
};

struct Bf16 {
  using Bits = std::uint16_t;
  using Signed = std::int16_t;
  static constexpr Bits infinity = 0x7f80, nan = 0x7fc0;

  static float widen(Bits bits) { return as_float(std::uint32_t{bits} << 16); }
  static Bits round(float value) {
    const std::uint32_t bits = Fp32::round(value);
    return static_cast<Bits>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
};

struct Fp16 {
  using Bits = std::uint16_t;
  using Signed = std::int16_t;
  static constexpr Bits infinity = 0x7c00, nan = 0x7e00;

  static float widen(Bits bits) {
    const std::uint32_t sign = (std::uint32_t{bits} & 0x8000) << 16;
    // Read as FP32, exponent and mantissa in place mean 2^-112 (the difference of the biases) of the value;
    // the product is exact and makes subnormals normal. Infinities and NaNs get FP32's largest exponent.
    const float magnitude = as_float((std::uint32_t{bits} & 0x7fff) << 13) * 0x1p112f;
    const std::uint32_t special = (bits & infinity) == infinity ? Fp32::infinity : 0;
    return as_float(as_bits(magnitude) | special | sign);
  }
  static Bits round(float value) {
    const std::uint32_t bits = as_bits(value);
    const std::uint32_t magnitude = bits & 0x7fffffff;
    const std::uint32_t sign = bits >> 16 & 0x8000;
    // Normal results: move the exponent to the other bias and round the 13 bits that go; a carry out of the
    // mantissa raises the exponent, to infinity from 65520 on.
    const std::uint32_t normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
    // Subnormal results, multiples of 2^-24: added to 0.5, whose last bit is worth 2^-24, the sum is rounded
    // to them.
    const std::uint32_t subnormal = as_bits(as_float(magnitude) + 0.5f) - as_bits(0.5f);
    constexpr std::uint32_t smallest_normal = 0x38800000;  // 2^-14
    constexpr std::uint32_t overflow = 0x47800000;         // 2^16
    std::uint32_t result = select(magnitude < smallest_normal, subnormal, normal);
    result = select(magnitude >= overflow, infinity, result);
    return static_cast<Bits>(select(magnitude > Fp32::infinity, nan, result | sign));
  }
};

/// The operations, as functions of one element pair. A is the format of the first operand and of the result.
template <class A, class B>
struct Sum {
  static typename A::Bits apply(typename A::Bits a, typename B::Bits b) {
    return A::round(A::widen(a) + B::widen(b));
  }
};

/// Integers that order as the numbers do, -0 below +0: negative numbers with their magnitude bits inverted.
/// Its own inverse.
template <class F>
typename F::Signed ordered(typename F::Bits bits) {
  constexpr auto magnitude =
      static_cast<typename F::Bits>(static_cast<typename F::Bits>(~typename F::Bits{0}) >> 1);
  return static_cast<typename F::Signed>(bits > magnitude ? bits ^ magnitude : bits);
}

template <class F>
bool is_nan(typename F::Bits bits) {
  constexpr auto magnitude =
      static_cast<typename F::Bits>(static_cast<typename F::Bits>(~typename F::Bits{0}) >> 1);
  return (bits & magnitude) > F::infinity;
}

template <class F, bool is_min>
typename F::Bits extreme(typename F::Bits a, typename F::Bits b) {
  using Bits = typename F::Bits;
  const auto x = ordered<F>(a), y = ordered<F>(b);
  const auto chosen =
      static_cast<Bits>(ordered<F>(static_cast<Bits>(is_min ? std::min(x, y) : std::max(x, y))));
  return is_nan<F>(a) || is_nan<F>(b) ? F::nan : chosen;
}

template <class A, class B, bool is_min>
struct Extreme {
  static typename A::Bits apply(typename A::Bits a, typename B::Bits b) {
    return extreme<A, is_min>(a, as_bits(B::widen(b)));
  }
};

template <class F, bool is_min>
struct Extreme<F, F, is_min> {
  static typename F::Bits apply(typename F::Bits a, typename F::Bits b) { return extreme<F, is_min>(a, b); }
};

/// INT32 as its bits; a sum wraps modulo 2^32.
struct Int32 {
  using Bits = std::uint32_t;
};

struct IntSum {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) { return a + b; }
};

template <bool is_min>
struct IntExtreme {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    const auto x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
    return static_cast<std::uint32_t>(is_min ? std::min(x, y) : std::max(x, y));
  }
};

/// Elements are worked on in blocks of local arrays, which need no alignment and alias nothing; `n` is a
/// constant but for the last block.
constexpr std::size_t block = 64;

template <class A, class B, class Operation>
inline void binary_block(const std::byte* a, const std::byte* b, std::byte* out, std::size_t n) {
  typename A::Bits x[block];
  typename B::Bits y[block];
  std::memcpy(x, a, n * sizeof x[0]);
  std::memcpy(y, b, n * sizeof y[0]);
  for (std::size_t j = 0; j < n; ++j) x[j] = Operation::apply(x[j], y[j]);
  std::memcpy(out, x, n * sizeof x[0]);
}

template <class A, class B, class Operation>
void binary(const std::byte* a, const std::byte* b, std::byte* out, std::size_t count) {
  constexpr std::size_t a_size = sizeof(typename A::Bits), b_size = sizeof(typename B::Bits);
  for (; count >= block; count -= block, a += block * a_size, b += block * b_size, out += block * a_size) {
    binary_block<A, B, Operation>(a, b, out, block);
  }
  if (count != 0) binary_block<A, B, Operation>(a, b, out, count);
}

template <class In, class Out>
inline void convert_block(const std::byte* in, std::byte* out, std::size_t n) {
  typename In::Bits x[block];
  typename Out::Bits y[block];
  std::memcpy(x, in, n * sizeof x[0]);
  for (std::size_t j = 0; j < n; ++j) y[j] = Out::round(In::widen(x[j]));
  std::memcpy(out, y, n * sizeof y[0]);
}

template <class In, class Out>
void convert(const std::byte* in, std::byte* out, std::size_t count) {
  constexpr std::size_t in_size = sizeof(typename In::Bits), out_size = sizeof(typename Out::Bits);
  for (; count >= block; count -= block, in += block * in_size, out += block * out_size) {
    convert_block<In, Out>(in, out, block);
  }
  if (count != 0) convert_block<In, Out>(in, out, count);
}

template <class A, class B>
constexpr ReduceKernels::Binary sum = binary<A, B, Sum<A, B>>;
template <class A, class B>
constexpr ReduceKernels::Binary minimum = binary<A, B, Extreme<A, B, true>>;
template <class A, class B>
constexpr ReduceKernels::Binary maximum = binary<A, B, Extreme<A, B, false>>;

}  // namespace

const ReduceKernels& generic_reduce_kernels() {
  static constexpr ReduceKernels kernels = {
      "generic",
      {{sum<Fp16, Fp16>, minimum<Fp16, Fp16>, maximum<Fp16, Fp16>},
       {sum<Bf16, Bf16>, minimum<Bf16, Bf16>, maximum<Bf16, Bf16>},
       {sum<Fp32, Fp32>, minimum<Fp32, Fp32>, maximum<Fp32, Fp32>},
       {binary<Int32, Int32, IntSum>, binary<Int32, Int32, IntExtreme<true>>,
        binary<Int32, Int32, IntExtreme<false>>}},
      {{sum<Fp32, Fp16>, minimum<Fp32, Fp16>, maximum<Fp32, Fp16>},
       {sum<Fp32, Bf16>, minimum<Fp32, Bf16>, maximum<Fp32, Bf16>},
       {sum<Fp32, Fp32>, minimum<Fp32, Fp32>, maximum<Fp32, Fp32>}},
      {convert<Fp16, Fp32>, convert<Bf16, Fp32>, convert<Fp32, Fp32>},
      {convert<Fp32, Fp16>, convert<Fp32, Bf16>, convert<Fp32, Fp32>}};
  return kernels;
}

}  // namespace fredsim::hw
