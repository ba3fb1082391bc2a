// The kernels on every length, alignment and aliasing that a caller may use.
#include <gtest/gtest.h>

#include <random>

#include "hw/core/error.h"
#include "hw/core/reduce.h"
#include "tb/tests/core/reduce_oracle.h"

namespace fredsim::hw {
namespace {

constexpr DType dtypes[] = {DType::fp16, DType::bf16, DType::fp32, DType::int32};
constexpr ReduceOp every_op[] = {ReduceOp::sum, ReduceOp::min, ReduceOp::max};
constexpr std::size_t guard = 64;
constexpr std::byte untouched{0xa5};

std::vector<std::byte> random_bytes(std::mt19937_64& random, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (auto& b : bytes) b = static_cast<std::byte>(random() & 0xff);
  return bytes;
}

/// One element at a time: the reference for every shape.
std::vector<std::byte> one_by_one(DType dtype, ReduceOp op, const std::byte* a, const std::byte* b,
                                  std::size_t count) {
  std::vector<std::byte> out(count * size_of(dtype));
  for (std::size_t i = 0; i < count; ++i) {
    reduce(dtype, op, a + i * size_of(dtype), b + i * size_of(dtype), &out[i * size_of(dtype)], 1);
  }
  return out;
}

class ReduceShape : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { force_generic_reduce(GetParam()); }
  void TearDown() override { force_generic_reduce(false); }
};

TEST_P(ReduceShape, EveryTailAndAlignment) {
  constexpr std::uint64_t seed = 40;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (const DType dtype : dtypes) {
    for (const ReduceOp op : every_op) {
      for (std::size_t count = 0; count <= 70; ++count) {
        const std::size_t size = count * size_of(dtype);
        const std::size_t at_a = random() % 33, at_b = random() % 33, at_out = random() % 33;
        const auto a = random_bytes(random, size + at_a), b = random_bytes(random, size + at_b);
        const std::byte* pa = a.data() + at_a;
        const std::byte* pb = b.data() + at_b;
        std::vector<std::byte> out(at_out + size + guard, untouched);
        reduce(dtype, op, pa, pb, out.data() + at_out, count);
        std::vector<std::byte> expected(out.size(), untouched);
        const auto result = one_by_one(dtype, op, pa, pb, count);
        std::copy(result.begin(), result.end(), expected.begin() + static_cast<std::ptrdiff_t>(at_out));
        ASSERT_EQ(out, expected) << to_string(dtype) << " " << to_string(op) << " " << count;
      }
    }
  }
}

TEST_P(ReduceShape, TheResultMayReplaceAnOperand) {
  constexpr std::uint64_t seed = 41;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (const DType dtype : dtypes) {
    for (const ReduceOp op : every_op) {
      for (std::size_t count = 1; count <= 70; ++count) {
        const auto a = random_bytes(random, count * size_of(dtype)), b = random_bytes(random, a.size());
        const auto expected = one_by_one(dtype, op, a.data(), b.data(), count);
        auto left = a, right = b, both = a;
        reduce(dtype, op, left.data(), b.data(), left.data(), count);
        reduce(dtype, op, a.data(), right.data(), right.data(), count);
        ASSERT_EQ(left, expected) << to_string(dtype) << " " << to_string(op) << " " << count;
        ASSERT_EQ(right, expected);
        const auto doubled = one_by_one(dtype, op, a.data(), a.data(), count);
        reduce(dtype, op, both.data(), both.data(), both.data(), count);
        ASSERT_EQ(both, doubled);
      }
    }
  }
}

TEST_P(ReduceShape, ConversionsAndAccumulatorsOfEveryLength) {
  constexpr std::uint64_t seed = 42;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (const DType dtype : {DType::fp16, DType::bf16, DType::fp32}) {
    for (std::size_t count = 0; count <= 70; ++count) {
      const std::size_t at = random() % 33, element = size_of(dtype);
      const auto in = random_bytes(random, at + count * element);
      std::vector<float> wide(count + 8, 7.0f), accumulated(count + 8, 1.0f);
      std::vector<std::byte> back(count * element + guard, untouched);
      widen_to_fp32(dtype, in.data() + at, wide.data(), count);
      accumulate_fp32(dtype, ReduceOp::sum, accumulated.data(), in.data() + at, count);
      round_from_fp32(dtype, wide.data(), back.data(), count);
      for (std::size_t i = 0; i < count; ++i) {
        float one;
        widen_to_fp32(dtype, in.data() + at + i * element, &one, 1);
        ASSERT_EQ(bit_cast<std::uint32_t>(one), bit_cast<std::uint32_t>(wide[i]));
        const float unit = 1.0f;
        reduce(DType::fp32, ReduceOp::sum, &unit, &one, &one, 1);
        ASSERT_EQ(bit_cast<std::uint32_t>(one), bit_cast<std::uint32_t>(accumulated[i]));
        std::vector<std::byte> element_back(element);
        round_from_fp32(dtype, &wide[i], element_back.data(), 1);
        ASSERT_TRUE(std::equal(element_back.begin(), element_back.end(), &back[i * element]));
      }
      for (std::size_t i = count; i < count + 8; ++i) ASSERT_EQ(wide[i], 7.0f);
      for (std::size_t i = count; i < count + 8; ++i) ASSERT_EQ(accumulated[i], 1.0f);
      for (std::size_t i = count * element; i < back.size(); ++i) ASSERT_EQ(back[i], untouched);
    }
  }
}

TEST_P(ReduceShape, NothingFromNowhere) {
  for (const DType dtype : dtypes) {
    for (const ReduceOp op : every_op) reduce(dtype, op, nullptr, nullptr, nullptr, 0);
  }
  accumulate_fp32(DType::bf16, ReduceOp::sum, nullptr, nullptr, 0);
  widen_to_fp32(DType::fp16, nullptr, nullptr, 0);
  round_from_fp32(DType::fp16, nullptr, nullptr, 0);
}

// A NaN in one place of the four vectors that are looked at together must stay in its place.
TEST_P(ReduceShape, OneNanAmongNumbers) {
  for (const DType dtype : {DType::fp16, DType::bf16}) {
    for (std::size_t at = 0; at < 77; ++at) {
      std::vector<std::uint16_t> a(77, 0x3c00), b(77, 0);
      a[at] = 0xffff;
      std::vector<std::uint16_t> expected(77, 0x3c00), out(77);
      expected[at] = dtype == DType::fp16 ? 0x7e00 : 0x7fc0;
      reduce(dtype, ReduceOp::sum, a.data(), b.data(), out.data(), out.size());
      ASSERT_EQ(out, expected) << at;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ReduceShape, testing::Bool(),
                         [](const auto& kernel) { return kernel.param ? "Generic" : "Processor"; });

TEST(ReduceKernels, AreNamedAndChosen) {
  const std::string chosen = reduce_kernel_name();
  EXPECT_TRUE(chosen == "avx2+f16c" || chosen == "generic") << chosen;
  force_generic_reduce(true);
  EXPECT_STREQ(reduce_kernel_name(), "generic");
  force_generic_reduce(false);
  EXPECT_EQ(reduce_kernel_name(), chosen);
}

TEST(ReduceKernels, IntegersHaveNoFloatAccumulator) {
  float f = 0;
  EXPECT_THROW(accumulate_fp32(DType::int32, ReduceOp::sum, &f, &f, 1), InternalError);
  EXPECT_THROW(widen_to_fp32(DType::int32, &f, &f, 1), InternalError);
  EXPECT_THROW(round_from_fp32(DType::int32, &f, &f, 1), InternalError);
}

}  // namespace
}  // namespace fredsim::hw
