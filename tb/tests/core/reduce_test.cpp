// What the reduction kernels compute, against Eigen's half and bfloat16, exact integer arithmetic and plain
// C++.
#include "hw/core/reduce.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "tb/tests/core/reduce_oracle.h"

namespace fredsim::hw {
namespace {

constexpr ReduceOp ops[] = {ReduceOp::sum, ReduceOp::min, ReduceOp::max};

/// min or max with -0 below +0, for operands that are no NaNs.
template <class T>
T extreme(ReduceOp op, T a, T b) {
  const bool a_below = a < b || (a == b && std::signbit(static_cast<float>(a)));
  return a_below == (op == ReduceOp::min) ? a : b;
}

template <class Number, std::uint16_t nan>
std::uint16_t expected16(ReduceOp op, std::uint16_t a, std::uint16_t b) {
  const auto x = bit_cast<Number>(a), y = bit_cast<Number>(b);
  if (Eigen::numext::isnan(x) || Eigen::numext::isnan(y)) return nan;
  if (op != ReduceOp::sum) return bit_cast<std::uint16_t>(extreme(op, x, y));
  const Number sum = x + y;
  return Eigen::numext::isnan(sum) ? nan : bit_cast<std::uint16_t>(sum);
}

/// Numbers at every exponent with mantissas at and next to the edges, both signs: zeros, subnormals, the
/// largest finite numbers, infinities and NaNs among them.
std::vector<std::uint16_t> structured(int mantissa_bits) {
  const int exponents = 1 << (15 - mantissa_bits);
  const int step = exponents > 64 ? 8 : 1;
  std::vector<std::uint16_t> all;
  for (int e = 0; e < exponents; e += step) {
    const int exponent = e + step >= exponents ? exponents - 1 : e;
    const int last = (1 << mantissa_bits) - 1;
    for (const int mantissa : {0, 1, last / 2, last / 2 + 1, last}) {
      for (const int sign : {0, 0x8000}) {
        all.push_back(static_cast<std::uint16_t>(sign | exponent << mantissa_bits | mantissa));
      }
    }
  }
  return all;
}

template <class Number, std::uint16_t nan>
void expect_like_eigen(DType dtype, const std::vector<std::uint16_t>& a,
                       const std::vector<std::uint16_t>& b) {
  for (const ReduceOp op : ops) {
    const Both<std::uint16_t> out = reduce_both(dtype, op, a, b);
    ASSERT_EQ(out.fast, out.generic);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::uint16_t expected = expected16<Number, nan>(op, a[i], b[i]);
      ASSERT_EQ(out.generic[i], expected) << std::hex << a[i] << " " << to_string(op) << " " << b[i];
    }
  }
}

template <class Number, std::uint16_t nan>
void exhaustively_like_eigen(DType dtype, int mantissa_bits) {
  const std::vector<std::uint16_t> partners = structured(mantissa_bits);
  ASSERT_GE(partners.size(), 300u);
  std::vector<std::uint16_t> every(65536);
  std::iota(every.begin(), every.end(), std::uint16_t{0});
  for (const std::uint16_t partner : partners) {
    expect_like_eigen<Number, nan>(dtype, every, std::vector<std::uint16_t>(every.size(), partner));
    if (testing::Test::HasFatalFailure()) return;
  }
  constexpr std::uint64_t seed = 16;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  std::vector<std::uint16_t> a(1'000'000), b(a.size());
  for (auto& x : a) x = static_cast<std::uint16_t>(random());
  for (auto& x : b) x = static_cast<std::uint16_t>(random());
  expect_like_eigen<Number, nan>(dtype, a, b);
}

TEST(Reduce, Fp16LikeEigen) {
  exhaustively_like_eigen<Eigen::half, 0x7e00>(DType::fp16, 10);
}
TEST(Reduce, Bf16LikeEigen) {
  exhaustively_like_eigen<Eigen::bfloat16, 0x7fc0>(DType::bf16, 7);
}

/// A finite FP16 number as a multiple of 2^-24.
std::int64_t fixed_point(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const std::int64_t magnitude =
      exponent == 0 ? mantissa : static_cast<std::int64_t>(1024 + mantissa) << (exponent - 1);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// A multiple of 2^-24, not zero, rounded to FP16 by definition: to the nearest, ties to an even mantissa.
std::uint16_t round_fixed_point(std::int64_t value) {
  const std::uint16_t sign = value < 0 ? 0x8000 : 0;
  const std::int64_t magnitude = std::abs(value);
  int exponent = 1;  // the unit of the last place is 2^(exponent - 1)
  while (magnitude >> (exponent - 1) >= 2048) ++exponent;
  const std::int64_t unit = std::int64_t{1} << (exponent - 1);
  std::int64_t quotient = magnitude / unit;
  const std::int64_t rest = magnitude % unit;
  if (2 * rest > unit || (2 * rest == unit && quotient % 2 == 1)) ++quotient;
  // A carry to 2048 is the next exponent with mantissa 0, a magnitude below 1024 is subnormal: the encoding's
  // own order.
  const std::int64_t bits = quotient + (static_cast<std::int64_t>(exponent - 1) << 10);
  return static_cast<std::uint16_t>(sign | std::min<std::int64_t>(bits, 0x7c00));
}

// The sum is the exact sum rounded once, although it is formed in FP32.
TEST(Reduce, Fp16SumsAreCorrectlyRounded) {
  constexpr std::uint64_t seed = 24;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  const auto finite = [&] {
    auto bits = static_cast<std::uint16_t>(random());
    while ((bits & 0x7c00) == 0x7c00) bits = static_cast<std::uint16_t>(random());
    return bits;
  };
  std::vector<std::uint16_t> a(2'000'000), b(a.size());
  for (auto& x : a) x = finite();
  for (auto& x : b) x = finite();
  const Both<std::uint16_t> out = reduce_both(DType::fp16, ReduceOp::sum, a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::int64_t sum = fixed_point(a[i]) + fixed_point(b[i]);
    if (sum == 0) continue;  // the sign of an exact zero is IEEE 754's, held against Eigen above
    ASSERT_EQ(out.fast[i], round_fixed_point(sum)) << std::hex << a[i] << " + " << b[i];
    ASSERT_EQ(out.generic[i], out.fast[i]);
  }
}

std::vector<std::uint32_t> structured32() {
  std::vector<std::uint32_t> all;
  for (const std::uint32_t exponent :
       {0u, 1u, 2u, 100u, 103u, 112u, 113u, 126u, 127u, 128u, 142u, 143u, 150u, 253u, 254u, 255u}) {
    for (const std::uint32_t mantissa :
         {0u, 1u, 0x1000u, 0x1fffu, 0x2000u, 0x7fffu, 0x8000u, 0x3fffffu, 0x400000u, 0x7fffffu}) {
      for (const std::uint32_t sign : {0u, 0x80000000u}) all.push_back(sign | exponent << 23 | mantissa);
    }
  }
  return all;
}

/// Every structured pair and then random ones.
void make_pairs(std::vector<std::uint32_t>& a, std::vector<std::uint32_t>& b, std::uint64_t seed) {
  const std::vector<std::uint32_t> values = structured32();
  for (const std::uint32_t x : values) {
    for (const std::uint32_t y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  std::mt19937_64 random(seed);
  for (int i = 0; i < 1'000'000; ++i) {
    a.push_back(static_cast<std::uint32_t>(random()));
    // Half of them with close exponents, so that sums round, cancel and carry.
    const auto any = static_cast<std::uint32_t>(random());
    b.push_back(i % 2 == 0 ? any : (a.back() ^ (any & 0x83ffffff)));
  }
}

std::uint32_t expected_fp32(ReduceOp op, std::uint32_t a, std::uint32_t b) {
  const auto x = bit_cast<float>(a), y = bit_cast<float>(b);
  if (std::isnan(x) || std::isnan(y)) return 0x7fc00000;
  const float result = op == ReduceOp::sum ? x + y : extreme(op, x, y);
  return std::isnan(result) ? 0x7fc00000 : bit_cast<std::uint32_t>(result);
}

TEST(Reduce, Fp32LikePlainCpp) {
  std::vector<std::uint32_t> a, b;
  make_pairs(a, b, 32);
  for (const ReduceOp op : ops) {
    const Both<std::uint32_t> out = reduce_both(DType::fp32, op, a, b);
    ASSERT_EQ(out.fast, out.generic);
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(out.fast[i], expected_fp32(op, a[i], b[i]))
          << std::hex << a[i] << " " << to_string(op) << " " << b[i];
    }
  }
}

TEST(Reduce, Int32LikePlainCpp) {
  std::vector<std::uint32_t> a, b;
  make_pairs(a, b, 33);
  for (const ReduceOp op : ops) {
    const Both<std::uint32_t> out = reduce_both(DType::int32, op, a, b);
    ASSERT_EQ(out.fast, out.generic);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto x = static_cast<std::int64_t>(bit_cast<std::int32_t>(a[i]));
      const auto y = static_cast<std::int64_t>(bit_cast<std::int32_t>(b[i]));
      const std::int64_t result = op == ReduceOp::sum   ? x + y
                                  : op == ReduceOp::min ? std::min(x, y)
                                                        : std::max(x, y);
      ASSERT_EQ(out.fast[i], static_cast<std::uint32_t>(result & 0xffffffff));
    }
  }
}

template <class Number>
std::uint32_t widened(std::uint16_t bits) {
  const auto value = static_cast<float>(bit_cast<Number>(bits));
  return std::isnan(value) ? 0x7fc00000 : bit_cast<std::uint32_t>(value);
}

TEST(Reduce, WideningIsExact) {
  std::vector<std::uint16_t> every(65536);
  std::iota(every.begin(), every.end(), std::uint16_t{0});
  for (const bool generic : {false, true}) {
    force_generic_reduce(generic);
    for (const DType dtype : {DType::fp16, DType::bf16}) {
      std::vector<float> wide(every.size());
      widen_to_fp32(dtype, every.data(), wide.data(), every.size());
      for (std::size_t i = 0; i < every.size(); ++i) {
        const std::uint32_t expected =
            dtype == DType::fp16 ? widened<Eigen::half>(every[i]) : widened<Eigen::bfloat16>(every[i]);
        ASSERT_EQ(bit_cast<std::uint32_t>(wide[i]), expected) << std::hex << every[i];
      }
    }
  }
  force_generic_reduce(false);
}

TEST(Reduce, RoundingLikeEigen) {
  std::vector<std::uint32_t> bits, unused;
  make_pairs(bits, unused, 34);
  std::vector<float> in;
  for (const std::uint32_t b : bits) in.push_back(bit_cast<float>(b));
  // Around every FP16 number and every tie between two of them.
  for (std::uint32_t h = 0; h < 0x7c00; ++h) {
    for (const int tie : {0, 0x1000}) {
      const std::uint32_t at =
          widened<Eigen::half>(static_cast<std::uint16_t>(h)) + static_cast<std::uint32_t>(tie);
      for (const std::uint32_t near : {at - 1, at, at + 1}) in.push_back(bit_cast<float>(near));
    }
  }
  for (const bool generic : {false, true}) {
    force_generic_reduce(generic);
    std::vector<std::uint16_t> half(in.size()), brain(in.size());
    std::vector<std::uint32_t> same(in.size());
    round_from_fp32(DType::fp16, in.data(), half.data(), in.size());
    round_from_fp32(DType::bf16, in.data(), brain.data(), in.size());
    round_from_fp32(DType::fp32, in.data(), same.data(), in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      const bool nan = std::isnan(in[i]);
      ASSERT_EQ(half[i], nan ? 0x7e00 : bit_cast<std::uint16_t>(Eigen::half(in[i]))) << in[i];
      ASSERT_EQ(brain[i], nan ? 0x7fc0 : bit_cast<std::uint16_t>(Eigen::bfloat16(in[i]))) << in[i];
      ASSERT_EQ(same[i], nan ? 0x7fc00000 : bit_cast<std::uint32_t>(in[i]));
    }
  }
  force_generic_reduce(false);
}

TEST(Reduce, AccumulatingIsWideningAndReducing) {
  std::vector<std::uint32_t> a, b;
  make_pairs(a, b, 35);
  for (const bool generic : {false, true}) {
    force_generic_reduce(generic);
    for (const DType dtype : {DType::fp16, DType::bf16, DType::fp32}) {
      // Operands of the dtype: the random bits themselves, the upper ones for a 16-bit dtype.
      std::vector<std::byte> in(b.size() * size_of(dtype));
      std::vector<std::uint32_t> wide(b.size());
      for (std::size_t i = 0; i < b.size(); ++i) {
        const auto upper = static_cast<std::uint16_t>(b[i] >> 16);
        if (dtype == DType::fp32) std::memcpy(&in[i * 4], &b[i], 4);
        if (dtype != DType::fp32) std::memcpy(&in[i * 2], &upper, 2);
        wide[i] = dtype == DType::fp32   ? b[i]
                  : dtype == DType::fp16 ? widened<Eigen::half>(upper)
                                         : widened<Eigen::bfloat16>(upper);
      }
      for (const ReduceOp op : ops) {
        std::vector<float> acc(a.size());
        std::memcpy(acc.data(), a.data(), a.size() * 4);
        accumulate_fp32(dtype, op, acc.data(), in.data(), acc.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
          ASSERT_EQ(bit_cast<std::uint32_t>(acc[i]), expected_fp32(op, a[i], wide[i]))
              << to_string(dtype) << to_string(op);
        }
      }
    }
  }
  force_generic_reduce(false);
}

std::uint16_t half(double value) {
  return bit_cast<std::uint16_t>(Eigen::half(static_cast<float>(value)));
}

/// The terms added one at a time in FP16.
std::uint16_t sum_in_fp16(const std::vector<double>& terms) {
  std::uint16_t sum = half(terms.at(0));
  for (std::size_t i = 1; i < terms.size(); ++i) {
    const std::uint16_t term = half(terms[i]);
    reduce(DType::fp16, ReduceOp::sum, &sum, &term, &sum, 1);
  }
  return sum;
}

/// The FP16 terms added one at a time in an FP32 accumulator.
float sum_in_fp32(const std::vector<double>& terms) {
  float sum = 0;
  for (const double t : terms) {
    const std::uint16_t term = half(t);
    accumulate_fp32(DType::fp16, ReduceOp::sum, &sum, &term, 1);
  }
  return sum;
}

TEST(Reduce, KnownSums) {
  const std::vector<double> large_first = {2048, 1, 1, 1, 1, 1, 1, 1, 1};
  const std::vector<double> large_last = {1, 1, 1, 1, 1, 1, 1, 1, 2048};
  EXPECT_EQ(sum_in_fp16(large_first), half(2048));
  EXPECT_EQ(sum_in_fp16(large_last), half(2056));
  EXPECT_EQ(sum_in_fp32(large_first), 2056.0f);
  const std::vector<double> overflowing(9, 8192.0);
  EXPECT_EQ(sum_in_fp16(overflowing), 0x7c00);
  EXPECT_EQ(sum_in_fp32(overflowing), 73728.0f);
  std::uint16_t rounded;
  const float wide = 73728.0f;
  round_from_fp32(DType::fp16, &wide, &rounded, 1);
  EXPECT_EQ(rounded, 0x7c00);
  const float big = 16777216.0f, one = 1.0f;
  float sum;
  reduce(DType::fp32, ReduceOp::sum, &big, &one, &sum, 1);
  EXPECT_EQ(sum, big);
}

TEST(Reduce, ANanIsTheSameNanOnEitherSide) {
  // Each dtype: a signalling NaN, a negative quiet one with a payload, and the one that comes out.
  struct Nans {
    DType dtype;
    std::uint32_t signalling, negative, canonical, one;
  };
  for (const Nans& n :
       {Nans{DType::fp16, 0x7c01, 0xfe55, 0x7e00, 0x3c00}, Nans{DType::bf16, 0x7f81, 0xffd5, 0x7fc0, 0x3f80},
        Nans{DType::fp32, 0x7f800001, 0xffc12345, 0x7fc00000, 0x3f800000}}) {
    for (const ReduceOp op : ops) {
      for (const std::uint32_t nan : {n.signalling, n.negative}) {
        for (const std::uint32_t other : {n.one, n.signalling, n.negative}) {
          for (const std::size_t count : {std::size_t{1}, std::size_t{40}}) {
            std::vector<std::uint32_t> a(count, nan), b(count, other);
            std::vector<std::uint16_t> a16(a.begin(), a.end()), b16(b.begin(), b.end());
            if (n.dtype == DType::fp32) {
              EXPECT_EQ(reduce_both(n.dtype, op, a, b).fast, std::vector<std::uint32_t>(count, n.canonical));
              EXPECT_EQ(reduce_both(n.dtype, op, b, a).generic,
                        std::vector<std::uint32_t>(count, n.canonical));
            } else {
              const std::vector<std::uint16_t> expected(count, static_cast<std::uint16_t>(n.canonical));
              EXPECT_EQ(reduce_both(n.dtype, op, a16, b16).fast, expected);
              EXPECT_EQ(reduce_both(n.dtype, op, b16, a16).generic, expected);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace fredsim::hw
