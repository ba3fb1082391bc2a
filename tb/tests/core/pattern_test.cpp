#include "hw/core/pattern.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "hw/core/error.h"
#include "hw/core/reduce.h"

namespace fredsim::hw {
namespace {

constexpr DType dtypes[] = {DType::fp16, DType::bf16, DType::fp32, DType::int32};
constexpr std::size_t packet = 2045;

std::vector<double> values(DType dtype, const std::byte* elements, std::size_t count) {
  std::vector<double> result(count);
  if (dtype == DType::int32) {
    std::vector<std::int32_t> integers(count);
    std::memcpy(integers.data(), elements, count * sizeof(std::int32_t));
    result.assign(integers.begin(), integers.end());
  } else {
    std::vector<float> floats(count);
    widen_to_fp32(dtype, elements, floats.data(), count);
    result.assign(floats.begin(), floats.end());
  }
  return result;
}

/// Every value of one period of (operation, npu), read piece by piece.
std::vector<double> period_of(DataPattern& pattern, DType dtype, std::uint32_t members, NpuId npu) {
  std::vector<double> all;
  while (all.size() < DataPattern::period) {
    const std::size_t count = std::min<std::size_t>(packet, DataPattern::period - all.size());
    const auto piece =
        values(dtype, pattern.elements(OperationId(0), npu, dtype, members, all.size(), count), count);
    all.insert(all.end(), piece.begin(), piece.end());
  }
  return all;
}

TEST(Pattern, KindNames) {
  EXPECT_EQ(to_string(PatternKind::rounding), "rounding");
  EXPECT_EQ(parse_pattern_kind("exact"), PatternKind::exact);
  EXPECT_FALSE(parse_pattern_kind("Exact"));
}

TEST(Pattern, AmplitudeKeepsSumsInTheExactRange) {
  EXPECT_EQ(DataPattern::amplitude(DType::fp16, 1), 1024);
  EXPECT_EQ(DataPattern::amplitude(DType::fp16, 8), 256);
  EXPECT_EQ(DataPattern::amplitude(DType::fp16, 20), 102);
  EXPECT_EQ(DataPattern::amplitude(DType::bf16, 20), 12);
  EXPECT_EQ(DataPattern::amplitude(DType::bf16, 1000), 1);
  EXPECT_EQ(DataPattern::amplitude(DType::fp32, 1024), 1024);
  EXPECT_EQ(DataPattern::amplitude(DType::int32, 4096), 1024);
  EXPECT_THROW(DataPattern::amplitude(DType::fp16, 0), InternalError);
}

TEST(Pattern, ExactValuesAreUniformIntegers) {
  DataPattern pattern(PatternKind::exact, 1, packet);
  for (const DType dtype : dtypes) {
    for (const std::uint32_t members : {1u, 8u, 20u, 300u}) {
      const int amplitude = DataPattern::amplitude(dtype, members);
      std::map<int, int> seen;
      for (const double v : period_of(pattern, dtype, members, NpuId(3))) {
        ASSERT_EQ(v, std::floor(v));
        ASSERT_LE(std::abs(v), amplitude);
        ++seen[static_cast<int>(v)];
      }
      ASSERT_EQ(seen.size(), 2u * static_cast<unsigned>(amplitude) + 1) << "some value never comes";
      const double expected = static_cast<double>(DataPattern::period) / (2.0 * amplitude + 1);
      for (const auto& [value, times] : seen) ASSERT_NEAR(times, expected, 6 * std::sqrt(expected)) << value;
    }
  }
}

/// Sums of all members' elements, taken in ascending or descending order.
std::vector<std::byte> sum_of(DataPattern& pattern, DType dtype, std::uint32_t members, bool ascending) {
  std::vector<std::byte> sum(packet * size_of(dtype));
  for (std::uint32_t k = 0; k < members; ++k) {
    const NpuId npu(ascending ? k : members - 1 - k);
    const std::byte* elements = pattern.elements(OperationId(5), npu, dtype, members, 60'000, packet);
    if (k == 0) {
      std::memcpy(sum.data(), elements, sum.size());
    } else {
      reduce(dtype, ReduceOp::sum, sum.data(), elements, sum.data(), packet);
    }
  }
  return sum;
}

TEST(Pattern, ExactSumsDoNotDependOnTheOrder) {
  DataPattern pattern(PatternKind::exact, 99, packet);
  for (const DType dtype : dtypes) {
    for (const std::uint32_t members : {2u, 3u, 8u, 20u, 256u}) {
      const std::vector<std::byte> sum = sum_of(pattern, dtype, members, true);
      EXPECT_EQ(sum, sum_of(pattern, dtype, members, false)) << to_string(dtype) << " " << members;

      std::vector<double> expected(packet);
      for (std::uint32_t n = 0; n < members; ++n) {
        const auto v =
            values(dtype, pattern.elements(OperationId(5), NpuId(n), dtype, members, 60'000, packet), packet);
        for (std::size_t i = 0; i < packet; ++i) expected[i] += v[i];
      }
      EXPECT_EQ(values(dtype, sum.data(), packet), expected) << to_string(dtype) << " " << members;
    }
  }
}

TEST(Pattern, RoundingSumsShowTheirOrderAndDoNotOverflow) {
  DataPattern pattern(PatternKind::rounding, 99, packet);
  for (const DType dtype : {DType::fp16, DType::bf16, DType::fp32}) {
    const auto up = values(dtype, sum_of(pattern, dtype, 8, true).data(), packet);
    const auto down = values(dtype, sum_of(pattern, dtype, 8, false).data(), packet);
    std::size_t different = 0;
    for (std::size_t i = 0; i < packet; ++i) different += up[i] != down[i];
    EXPECT_GT(different, packet / 4) << to_string(dtype);
  }
  for (const DType dtype : dtypes) {
    double largest = 0;
    for (const double v : period_of(pattern, dtype, 4096, NpuId(0))) largest = std::max(largest, std::abs(v));
    EXPECT_LT(4096 * largest, dtype == DType::int32 ? 2147483648.0 : 65504.0);
    for (const double v : values(dtype, sum_of(pattern, dtype, 4096, true).data(), packet))
      ASSERT_TRUE(std::isfinite(v));
  }
}

TEST(Pattern, RoundingValuesFillTheMantissa) {
  DataPattern pattern(PatternKind::rounding, 4, packet);
  const auto all = period_of(pattern, DType::fp16, 8, NpuId(1));
  std::set<double> different(all.begin(), all.end());
  EXPECT_GT(different.size(), 12'000u);  // 2 signs, 6 binades, 1024 mantissas: 12288, and the rounded-up 8
  std::set<int> binades;
  for (const double v : all) binades.insert(std::ilogb(v));
  EXPECT_GE(binades.size(), 6u);
}

TEST(Pattern, PiecesAreWindowsOfOnePeriod) {
  DataPattern pattern(PatternKind::exact, 42, packet);
  const std::size_t period = DataPattern::period;
  const auto all = period_of(pattern, DType::fp32, 8, NpuId(2));
  for (const std::uint64_t first :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2045 * 7}, std::uint64_t{65530},
        std::uint64_t{65537}, std::uint64_t{1} << 40, ~std::uint64_t{0} - 5000}) {
    const auto piece = values(
        DType::fp32, pattern.elements(OperationId(0), NpuId(2), DType::fp32, 8, first, packet), packet);
    for (std::size_t i = 0; i < packet; ++i) ASSERT_EQ(piece[i], all[(first % period + i) % period]) << first;
  }
  // The phase places every operation's and NPU's data in one table.
  const auto shift =
      (pattern.phase(OperationId(9), NpuId(4)) + period - pattern.phase(OperationId(0), NpuId(2))) % period;
  const auto other =
      values(DType::fp32, pattern.elements(OperationId(9), NpuId(4), DType::fp32, 8, 0, packet), packet);
  for (std::size_t i = 0; i < packet; ++i) ASSERT_EQ(other[i], all[(shift + i) % period]);
}

TEST(Pattern, BytesAreWindowsToo) {
  DataPattern pattern(PatternKind::exact, 42, 4090);
  const std::byte* piece = pattern.bytes(OperationId(1), NpuId(1), 65'000, 4090);
  for (std::uint64_t i = 0; i < 4090; ++i) {
    ASSERT_EQ(piece[i], *pattern.bytes(OperationId(1), NpuId(1), 65'000 + i, 1));
  }
  std::set<std::byte> seen(piece, piece + 4090);
  EXPECT_EQ(seen.size(), 256u);
}

TEST(Pattern, NpusOfAnOperationDiffer) {
  const DataPattern pattern(PatternKind::exact, 3, packet);
  for (std::uint32_t operation = 0; operation < 20; ++operation) {
    std::set<std::uint64_t> phases;
    for (std::uint32_t npu = 0; npu < 5000; ++npu) {
      const std::uint64_t phase = pattern.phase(OperationId(operation), NpuId(npu));
      ASSERT_LT(phase, DataPattern::period);
      phases.insert(phase);
    }
    EXPECT_EQ(phases.size(), 5000u);
  }
}

TEST(Pattern, DataStaysWhereItIs) {
  DataPattern pattern(PatternKind::exact, 8, 4090);
  const std::byte* first = pattern.elements(OperationId(0), NpuId(0), DType::fp16, 2, 0, packet);
  const std::vector<std::byte> copy(first, first + packet * 2);
  for (std::uint32_t members = 1; members < 300; ++members) {
    for (const DType dtype : dtypes) pattern.elements(OperationId(0), NpuId(0), dtype, members, 0, packet);
  }
  EXPECT_EQ(pattern.elements(OperationId(0), NpuId(0), DType::fp16, 2, 0, packet), first);
  EXPECT_TRUE(std::equal(copy.begin(), copy.end(), first));
}

// Written down once: the data must be the same with every compiler and on every machine.
TEST(Pattern, DataIsTheSameEverywhere) {
  DataPattern pattern(PatternKind::exact, 1, packet);
  EXPECT_EQ(pattern.phase(OperationId(0), NpuId(0)), 14764u);
  EXPECT_EQ(pattern.phase(OperationId(7), NpuId(19)), 39201u);
  const auto v = values(DType::fp16, pattern.elements(OperationId(0), NpuId(0), DType::fp16, 8, 0, 4), 4);
  EXPECT_EQ(v, (std::vector<double>{238, 91, 0, 132}));
}

TEST(Pattern, TooMuchAtOnceIsAnInternalError) {
  DataPattern pattern(PatternKind::exact, 1, 16);
  EXPECT_THROW(pattern.elements(OperationId(0), NpuId(0), DType::fp16, 2, 0, 17), InternalError);
  EXPECT_THROW(pattern.bytes(OperationId(0), NpuId(0), 0, 17), InternalError);
}

}  // namespace
}  // namespace fredsim::hw
