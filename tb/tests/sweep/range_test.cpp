// Ranges of a sweep file against values written out by hand.
#include "tb/sweep/range.h"

#include <gtest/gtest.h>

#include "hw/core/error.h"
#include "tb/sweep/number.h"

namespace fredsim::tb {
namespace {

using Strings = std::vector<std::string>;

Range steps(const std::string& from, const std::string& to, const std::string& step) {
  return {from, to, step, {}, {}, false};
}
Range factors(const std::string& from, const std::string& to, const std::string& factor) {
  return {from, to, {}, factor, {}, false};
}
Range points(const std::string& from, const std::string& to, const std::string& n, bool logarithmic) {
  return {from, to, {}, {}, n, logarithmic};
}

TEST(Range, StepsEndAtOrBelowTheEnd) {
  EXPECT_EQ(range_values(ValueType::capacity, steps("4 KiB", "16 KiB", "4 KiB")),
            (Strings{"4 KiB", "8 KiB", "12 KiB", "16 KiB"}));
  EXPECT_EQ(range_values(ValueType::time, steps("0.1 ns", "1 ns", "0.4 ns")),
            (Strings{"100 ps", "500 ps", "900 ps"}));
  EXPECT_EQ(range_values(ValueType::integer, steps("0", "3", "1")), (Strings{"0", "1", "2", "3"}));
  EXPECT_EQ(range_values(ValueType::real, steps("0.1", "0.3", "0.1")), (Strings{"0.1", "0.2", "0.3"}));
}

TEST(Range, FactorsMultiply) {
  EXPECT_EQ(range_values(ValueType::bandwidth, factors("375 GB/s", "3 TB/s", "2")),
            (Strings{"375 GB/s", "750 GB/s", "1.5 TB/s", "3 TB/s"}));
  EXPECT_EQ(range_values(ValueType::bytes, factors("4 KiB", "100 KiB", "4")),
            (Strings{"4 KiB", "16 KiB", "64 KiB"}));
}

TEST(Range, PointsIncludeBothEnds) {
  EXPECT_EQ(range_values(ValueType::time, points("1 ns", "100 ns", "3", true)),
            (Strings{"1 ns", "10 ns", "100 ns"}));
  EXPECT_EQ(range_values(ValueType::time, points("1 ns", "2 ns", "3", false)),
            (Strings{"1 ns", "1.5 ns", "2 ns"}));
  // Rounded to the smallest unit: 10 to the power of 1/2 ns in whole femtoseconds.
  EXPECT_EQ(range_values(ValueType::time, points("1 ns", "10 ns", "3", true)),
            (Strings{"1 ns", "3.162278 ns", "10 ns"}));
}

TEST(Range, RefusesWhatItCannotMake) {
  EXPECT_THROW(range_values(ValueType::enumeration, steps("a", "b", "c")), hw::InputError);
  EXPECT_THROW(range_values(ValueType::bytes, steps("4 KiB", "4 KiB", "1 B")), hw::InputError);
  EXPECT_THROW(range_values(ValueType::bytes, steps("8 KiB", "4 KiB", "1 B")), hw::InputError);
  EXPECT_THROW(range_values(ValueType::bytes, steps("4 KiB", "8 KiB", "0 B")), hw::InputError);
  EXPECT_THROW(range_values(ValueType::bytes, steps("4", "8 KiB", "1 KiB")), hw::InputError);
  EXPECT_THROW(range_values(ValueType::bytes, steps("0 B", "1 TB", "1 B")), hw::InputError);
  EXPECT_THROW(range_values(ValueType::integer, factors("0", "8", "2")), hw::InputError);
  EXPECT_THROW(range_values(ValueType::integer, factors("1", "8", "1")), hw::InputError);
  EXPECT_THROW(range_values(ValueType::integer, points("1", "3", "5", false)), hw::InputError);
  EXPECT_THROW(range_values(ValueType::integer, points("1", "3", "1", false)), hw::InputError);
  EXPECT_THROW(range_values(ValueType::integer, points("0", "3", "2", true)), hw::InputError);
}

TEST(Number, HasTheUnitOfItsName) {
  EXPECT_EQ(number_for("simulated_ns", "10 us"), 10'000);
  EXPECT_EQ(number_for("simulated_ns", "10"), 10);
  EXPECT_EQ(number_for("peak_buffer_bytes", "24 KiB"), 24'576);
  EXPECT_EQ(number_for("accepted_bytes_per_s", "8 Gb/s"), 1e9);
  EXPECT_EQ(number_for("algbw_gbytes_per_s", "3 TB/s"), 3000);
  EXPECT_EQ(number_for("buffer.dp", "8 KiB"), 8192);
  EXPECT_THROW(number_for("buffer.dp", "8"), hw::InputError);
  EXPECT_THROW(number_for("preemptions", "8 KiB"), hw::InputError);
  EXPECT_THROW(number_for("simulated_ns", "8 KiB"), hw::InputError);
}

}  // namespace
}  // namespace fredsim::tb
