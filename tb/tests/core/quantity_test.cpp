#include "hw/core/quantity.h"

#include <gtest/gtest.h>

#include <random>

#include "hw/core/error.h"

namespace fredsim::hw {
namespace {

template <class F>
std::string error_of(F parse) {
  try {
    parse();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string time_error(std::string_view text) {
  return error_of([&] { parse_time(text); });
}
std::string bytes_error(std::string_view text) {
  return error_of([&] { parse_bytes(text); });
}
std::string bandwidth_error(std::string_view text) {
  return error_of([&] { parse_bandwidth(text); });
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

TEST(Quantity, TimesInEveryUnit) {
  EXPECT_EQ(parse_time("7 fs").fs(), 7);
  EXPECT_EQ(parse_time("7 ps").fs(), 7'000);
  EXPECT_EQ(parse_time("3.3 ns").fs(), 3'300'000);
  EXPECT_EQ(parse_time("0.2 ns").fs(), 200'000);
  EXPECT_EQ(parse_time("1 us").fs(), 1'000'000'000);
  EXPECT_EQ(parse_time("121.38 ms").fs(), 121'380'000'000'000);
  EXPECT_EQ(parse_time("1.821 s").fs(), 1'821'000'000'000'000);
}

TEST(Quantity, WaysToWriteANumber) {
  for (const char* text :
       {"1500 ns", "1500ns", " 1500  ns ", "1.5e3 ns", "1.5E+3ns", "15000e-1 ns", "1500. ns", "001500 ns",
        "1500\tns", "1500.000 ns", "1.5 us", ".0015 ms", "150000000000000000000e-17 ns"}) {
    EXPECT_EQ(parse_time(text).fs(), 1'500'000'000) << text;
  }
  for (const char* text : {"0 ns", "0.0 s", "0e999999999999 s", "0e-99999999999 fs"}) {
    EXPECT_EQ(parse_time(text).fs(), 0) << text;
  }
}

TEST(Quantity, SizesInEveryUnit) {
  EXPECT_EQ(parse_bytes("1 B"), 1u);
  EXPECT_EQ(parse_bytes("24 KiB"), 24u * 1024);
  EXPECT_EQ(parse_bytes("24 KB"), 24'000u);
  EXPECT_EQ(parse_bytes("1.5 KiB"), 1536u);
  EXPECT_EQ(parse_bytes("88.2MB"), 88'200'000u);
  EXPECT_EQ(parse_bytes("1 MiB"), 1048576u);
  EXPECT_EQ(parse_bytes("1 GB"), 1'000'000'000u);
  EXPECT_EQ(parse_bytes("1 GiB"), 1073741824u);
  EXPECT_EQ(parse_bytes("1 TB"), 1'000'000'000'000u);
  EXPECT_EQ(parse_bytes("1 TiB"), 1099511627776u);
  EXPECT_EQ(parse_bytes("0 B"), 0u);
}

TEST(Quantity, BitsAndBytesPerSecond) {
  EXPECT_EQ(parse_bandwidth("3 TB/s").bits_per_second(), 24'000'000'000'000u);
  EXPECT_EQ(parse_bandwidth("3 Tb/s").bits_per_second(), 3'000'000'000'000u);
  EXPECT_EQ(parse_bandwidth("10 Gb/s").bits_per_second(), 10'000'000'000u);
  EXPECT_EQ(parse_bandwidth("10 GB/s").bits_per_second(), 80'000'000'000u);
  EXPECT_EQ(parse_bandwidth("1 KiB/s").bits_per_second(), 8192u);
  EXPECT_EQ(parse_bandwidth("1 TiB/s").bits_per_second(), 8796093022208u);
  EXPECT_EQ(parse_bandwidth("0.125 B/s").bits_per_second(), 1u);
  EXPECT_EQ(parse_bandwidth("9 b/s").bits_per_second(), 9u);
  EXPECT_EQ(parse_bandwidth("107.4 GB/s"), Bandwidth::bytes_per_second(107'400'000'000));
}

TEST(Quantity, CapacityMayBeUnlimited) {
  EXPECT_TRUE(parse_capacity(" unlimited ").is_unlimited());
  EXPECT_EQ(parse_capacity("24 KiB").bytes(), 24u * 1024);
  const std::string error = error_of([] { parse_capacity("unlimted"); });
  EXPECT_TRUE(contains(error, "or 'unlimited'")) << error;
}

// Numbers that no double holds, and more digits than any integer has.
TEST(Quantity, ParsingIsExact) {
  EXPECT_EQ(parse_bytes("9007199254740993 B"), 9007199254740993u);
  EXPECT_EQ(parse_time("9.007199254740993 s").fs(), 9007199254740993);
  EXPECT_EQ(parse_bytes("1.0000000000009094947017729282379150390625 TiB"), 1099511627777u);
  EXPECT_EQ(parse_bytes("1" + std::string(200, '0') + "e-200 B"), 1u);
  EXPECT_EQ(parse_bytes("0." + std::string(200, '0') + "1e201 B"), 1u);
}

TEST(Quantity, LargestValues) {
  EXPECT_EQ(parse_time("9223372036854775807 fs"), Time::max());
  EXPECT_EQ(parse_time("9223.372036854775807 s"), Time::max());
  EXPECT_TRUE(
      contains(time_error("9223372036854775808 fs"), "too large: the largest time is 9223372036854775807"));
  EXPECT_EQ(parse_bytes("18446744073709551614 B"), most - 1);
  EXPECT_TRUE(contains(bytes_error("18446744073709551615 B"), "too large"));
  EXPECT_TRUE(contains(bytes_error("18446744073709551616 B"), "too large"));
  EXPECT_EQ(parse_bandwidth("18446744073709551615 b/s").bits_per_second(), most);
  EXPECT_TRUE(contains(bandwidth_error("18446744073709551616 b/s"), "too large"));
  EXPECT_TRUE(contains(bandwidth_error("2305843009213693952 B/s"), "too large"));
  for (const char* text : {"1e30 s", "1e999999999999999999999 s", "99999999999999999999999999999 fs"}) {
    EXPECT_TRUE(contains(time_error(text), "too large")) << text;
  }
}

TEST(Quantity, NothingIsRoundedSilently) {
  EXPECT_TRUE(contains(time_error("0.5 fs"), "'0.5 fs' is not a whole number of femtoseconds"));
  EXPECT_TRUE(contains(bytes_error("1.0001 KB"), "not a whole number of bytes"));
  EXPECT_TRUE(contains(bytes_error("1e-99999999999999999999 B"), "not a whole number of bytes"));
  EXPECT_TRUE(contains(bandwidth_error("0.1 B/s"), "not a whole number of bits per second"));
  EXPECT_TRUE(contains(bytes_error("2.9 B"), "not a whole number of bytes"));
}

TEST(Quantity, MessagesSayWhatIsAllowed) {
  EXPECT_EQ(time_error("3"),
            "'3' has no unit: a time is a number and a unit (fs, ps, ns, us, ms, s), for example 3.3 ns");
  EXPECT_EQ(bytes_error(""),
            "'' is empty: a size is a number and a unit (B, KB, KiB, MB, MiB, GB, GiB, TB, TiB), for example "
            "24 KiB");
  EXPECT_TRUE(contains(bytes_error("-1 B"), "'-1 B' is negative"));
  EXPECT_TRUE(contains(bandwidth_error("0 TB/s"), "is zero"));
  for (const char* text : {"ns", "x ns", "+3 ns", ". ns", "e3 ns", "nan s", "inf s", "unlimited"}) {
    EXPECT_TRUE(contains(time_error(text), "does not begin with a number")) << text;
  }
  for (const char* text : {"0x10 ns", "1_000 ns", "1,5 ns", "1.2.3 ns", "3 ns ns", "3 e3 ns", "3 e ns"}) {
    EXPECT_TRUE(contains(time_error(text), "unknown unit")) << text;
  }
}

TEST(Quantity, MessagesSurviveHostileInput) {
  const std::string error = bytes_error("3 " + std::string(100'000, 'x') + "\n");
  EXPECT_LT(error.size(), 400u);
  EXPECT_EQ(bytes_error("3\n\x1b[2J").find('\n'), std::string::npos);
  EXPECT_TRUE(contains(bytes_error(std::string("3\0B", 3)), "unknown unit '?B'"));
}

TEST(Quantity, UnitsAreStrictAndTheNearestIsNamed) {
  const auto suggestion = [](const std::string& error) {
    const std::string key = "did you mean '";
    const std::size_t at = error.find(key);
    if (at == std::string::npos) return std::string("none");
    return error.substr(at + key.size(), error.find('\'', at + key.size()) - at - key.size());
  };
  EXPECT_EQ(suggestion(bandwidth_error("10 kb/s")), "Kb/s");
  EXPECT_EQ(suggestion(bandwidth_error("10 gb/s")), "Gb/s");
  EXPECT_EQ(suggestion(bandwidth_error("10 gB/s")), "GB/s");
  EXPECT_EQ(suggestion(bandwidth_error("10 Gbps")), "Gb/s");
  EXPECT_EQ(suggestion(bandwidth_error("10 GBps")), "GB/s");
  EXPECT_EQ(suggestion(bandwidth_error("10 Gbit/s")), "Gb/s");
  EXPECT_EQ(suggestion(bandwidth_error("3 TB")), "TB/s");
  EXPECT_EQ(suggestion(bandwidth_error("3 TB/ns")), "TB/s");
  EXPECT_EQ(suggestion(bytes_error("24 kiB")), "KiB");
  EXPECT_EQ(suggestion(bytes_error("24 kb")), "KB");
  EXPECT_EQ(suggestion(bytes_error("24 bytes")), "B");
  EXPECT_EQ(suggestion(bytes_error("24 Ki")), "KiB");
  EXPECT_EQ(suggestion(bytes_error("24 GB/s")), "GB");
  EXPECT_EQ(suggestion(time_error("24 NS")), "ns");
  EXPECT_EQ(suggestion(time_error("24 \u00b5s")), "us");
  EXPECT_EQ(suggestion(time_error("24 seconds")), "s");
  EXPECT_EQ(suggestion(time_error("24 bananas")), "none");
}

TEST(Quantity, PrintsAsPeopleWrite) {
  EXPECT_EQ(to_string(Time::fs(3'300'000)), "3.3 ns");
  EXPECT_EQ(to_string(Time::fs(200'000)), "200 ps");
  EXPECT_EQ(to_string(Time()), "0 s");
  EXPECT_EQ(to_string(Time::fs(1)), "1 fs");
  EXPECT_EQ(to_string(Time::fs(12'345'678)), "12.345678 ns");
  EXPECT_EQ(to_string(Time::max()), "9223.372036854775807 s");
  EXPECT_EQ(to_string(Time::fs(-3'300'000)), "-3.3 ns");
  EXPECT_EQ(to_string(Time::fs(std::numeric_limits<std::int64_t>::min())), "-9223.372036854775808 s");
  EXPECT_EQ(bytes_to_string(0), "0 B");
  EXPECT_EQ(bytes_to_string(512), "512 B");
  EXPECT_EQ(bytes_to_string(4090), "4090 B");
  EXPECT_EQ(bytes_to_string(4096), "4 KiB");
  EXPECT_EQ(bytes_to_string(24 * 1024), "24 KiB");
  EXPECT_EQ(bytes_to_string(24'000), "24 KB");
  EXPECT_EQ(bytes_to_string(1536), "1.5 KiB");
  EXPECT_EQ(bytes_to_string(64 << 20), "64 MiB");
  EXPECT_EQ(bytes_to_string(88'200'000), "88.2 MB");
  EXPECT_EQ(to_string(Capacity::unlimited()), "unlimited");
  for (const char* text : {"3 TB/s", "1.5 TB/s", "750 GB/s", "375 GB/s", "128 GB/s", "1152 GB/s", "3.75 TB/s",
                           "10 Gb/s", "100 Gb/s", "7 b/s", "12 TB/s", "1 TiB/s"}) {
    EXPECT_EQ(to_string(parse_bandwidth(text)), text);
  }
}

TEST(Quantity, WhatIsPrintedParsesBack) {
  constexpr std::uint64_t seed = 2024;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20'000; ++i) {
    std::uint64_t value = random() >> random() % 64;
    if (i % 3 == 0) value = value / 1000 * 1000;
    if (i % 3 == 1) value = value / 1024 * 1024;
    const Time time = Time::fs(static_cast<std::int64_t>(value >> 1));
    ASSERT_EQ(parse_time(to_string(time)), time);
    if (value != most) {
      ASSERT_EQ(parse_bytes(bytes_to_string(value)), value);
    }
    const Bandwidth rate = Bandwidth::bits_per_second(std::max<std::uint64_t>(value, 1));
    ASSERT_EQ(parse_bandwidth(to_string(rate)), rate) << to_string(rate);
  }
}

TEST(Quantity, TransferTimesRoundUp) {
  const Bandwidth link = parse_bandwidth("3 TB/s");
  EXPECT_EQ(link.time_for(4096).fs(), 1'365'334);  // 1365333.33
  EXPECT_EQ(link.time_for(0).fs(), 0);
  EXPECT_EQ(link.time_for(3).fs(), 1'000);
  EXPECT_EQ(parse_bandwidth("10 Gb/s").time_for(9000), parse_time("7.2 us"));
  EXPECT_EQ(Bandwidth::bits_per_second(1'000'000'000'000'000).time_for(most / 1000).fs(),
            static_cast<std::int64_t>(most / 1000) * 8);
  EXPECT_THROW(Bandwidth::bits_per_second(1).time_for(most), InputError);
  EXPECT_THROW(Bandwidth().time_for(1), InternalError);
  EXPECT_THROW(Bandwidth::bytes_per_second(std::uint64_t{1} << 61), InputError);
}

TEST(Quantity, ArithmeticOverflowIsAnError) {
  EXPECT_EQ(parse_time("1 ns") * 3 + parse_time("1 ps") - parse_time("2 fs"), Time::fs(3'000'998));
  EXPECT_THROW(Time::max() + Time::fs(1), InputError);
  EXPECT_THROW(Time::fs(-2) - Time::max(), InputError);
  EXPECT_THROW(Time::max() * 2, InputError);
}

}  // namespace
}  // namespace fredsim::hw
