#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace fredsim::hw {

/// How the message begins that arithmetic beyond the range of Time throws. What catches it may know no more
/// of it than its text, as SystemC's kernel does.
inline constexpr std::string_view time_out_of_range = "a simulated time leaves its range of 9223 s";

/// A point in, or a span of, simulated time in whole femtoseconds (up to 9223 s). Arithmetic that would
/// overflow throws InputError, since only quantities from the user can be that large.
class Time {
 public:
  constexpr Time() = default;
  static constexpr Time fs(std::int64_t femtoseconds) { return Time(femtoseconds); }
  static constexpr Time max() { return Time(std::numeric_limits<std::int64_t>::max()); }

  constexpr std::int64_t fs() const { return fs_; }
  constexpr double ns() const { return static_cast<double>(fs_) / 1e6; }
  constexpr double seconds() const { return static_cast<double>(fs_) / 1e15; }

  friend Time operator+(Time a, Time b) {
    std::int64_t sum;
    if (__builtin_add_overflow(a.fs_, b.fs_, &sum)) overflow("+");
    return Time(sum);
  }
  friend Time operator-(Time a, Time b) {
    std::int64_t difference;
    if (__builtin_sub_overflow(a.fs_, b.fs_, &difference)) overflow("-");
    return Time(difference);
  }
  friend Time operator*(Time a, std::int64_t factor) {
    std::int64_t product;
    if (__builtin_mul_overflow(a.fs_, factor, &product)) overflow("*");
    return Time(product);
  }
  Time& operator+=(Time other) { return *this = *this + other; }
  Time& operator-=(Time other) { return *this = *this - other; }
  friend constexpr bool operator==(Time a, Time b) { return a.fs_ == b.fs_; }
  friend constexpr bool operator!=(Time a, Time b) { return a.fs_ != b.fs_; }
  friend constexpr bool operator<(Time a, Time b) { return a.fs_ < b.fs_; }
  friend constexpr bool operator<=(Time a, Time b) { return a.fs_ <= b.fs_; }
  friend constexpr bool operator>(Time a, Time b) { return a.fs_ > b.fs_; }
  friend constexpr bool operator>=(Time a, Time b) { return a.fs_ >= b.fs_; }

 private:
  constexpr explicit Time(std::int64_t femtoseconds) : fs_(femtoseconds) {}
  [[noreturn]] static void overflow(const char* operation);

  std::int64_t fs_ = 0;
};

/// A data rate in whole bits per second, never zero once parsed.
class Bandwidth {
 public:
  constexpr Bandwidth() = default;
  static constexpr Bandwidth bits_per_second(std::uint64_t rate) { return Bandwidth(rate); }
  /// Throws InputError above 2^61 bytes per second.
  static constexpr Bandwidth bytes_per_second(std::uint64_t rate) {
    return rate > std::numeric_limits<std::uint64_t>::max() / 8 ? overflow() : Bandwidth(rate * 8);
  }

  constexpr std::uint64_t bits_per_second() const { return bits_per_second_; }
  constexpr double bytes_per_second() const { return static_cast<double>(bits_per_second_) / 8.0; }

  /// The time `bytes` take at this rate, rounded up to a femtosecond (so that a link never exceeds its rate).
  Time time_for(std::uint64_t bytes) const;

  friend constexpr bool operator==(Bandwidth a, Bandwidth b) {
    return a.bits_per_second_ == b.bits_per_second_;
  }
  friend constexpr bool operator!=(Bandwidth a, Bandwidth b) { return !(a == b); }
  friend constexpr bool operator<(Bandwidth a, Bandwidth b) {
    return a.bits_per_second_ < b.bits_per_second_;
  }

 private:
  constexpr explicit Bandwidth(std::uint64_t rate) : bits_per_second_(rate) {}
  [[noreturn]] static Bandwidth overflow();

  std::uint64_t bits_per_second_ = 0;
};

/// A number of bytes, or no limit at all (a buffer's `unlimited`).
class Capacity {
 public:
  constexpr Capacity() = default;
  static constexpr Capacity bytes(std::uint64_t n) { return Capacity(n); }
  static constexpr Capacity unlimited() { return Capacity(std::numeric_limits<std::uint64_t>::max()); }

  constexpr bool is_unlimited() const { return *this == unlimited(); }
  constexpr std::uint64_t bytes() const { return bytes_; }

  friend constexpr bool operator==(Capacity a, Capacity b) { return a.bytes_ == b.bytes_; }
  friend constexpr bool operator!=(Capacity a, Capacity b) { return !(a == b); }

 private:
  constexpr explicit Capacity(std::uint64_t n) : bytes_(n) {}

  std::uint64_t bytes_ = std::numeric_limits<std::uint64_t>::max();
};

/// Read a quantity as a user writes it: a decimal number (digits, one point, an exponent), blanks, a unit.
/// The value must come out whole in the smallest unit (1 fs, 1 byte, 1 bit/s); nothing is rounded silently.
/// Throws InputError with what is wrong and what is allowed, without a place (the caller knows it). A bare
/// number, a negative value, an unknown unit (with the nearest known one), a value too large or with a
/// fraction of the smallest unit are errors. Units are case sensitive: Gb and GB differ by eight, ms and Ms
/// by a billion, so nothing is guessed.
///   Time: fs ps ns us ms s.   Bytes: B KB MB GB TB (powers of 1000), KiB MiB GiB TiB (powers of 1024).
///   Bandwidth: B/s KB/s MB/s GB/s TB/s KiB/s ... TiB/s, b/s Kb/s Mb/s Gb/s Tb/s; must not be zero.
///   Capacity: as bytes, or `unlimited`.
Time parse_time(std::string_view text);
std::uint64_t parse_bytes(std::string_view text);
Bandwidth parse_bandwidth(std::string_view text);
Capacity parse_capacity(std::string_view text);

/// Print exactly: parsing the result gives the same value back (but for negative spans and the rate 0, which
/// no one may write). Times in the largest unit not above them ("3.3 ns"); bytes in the unit with the
/// shortest number ("24 KiB", "88.2 MB"); rates likewise in bytes ("3 TB/s"), or in bits where that is whole
/// and bytes are not ("10 Gb/s").
std::string to_string(Time);
std::string to_string(Bandwidth);
std::string to_string(Capacity);
std::string bytes_to_string(std::uint64_t);

}  // namespace fredsim::hw
