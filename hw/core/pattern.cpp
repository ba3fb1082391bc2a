#include "hw/core/pattern.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "hw/core/error.h"
#include "hw/core/reduce.h"

namespace fredsim::hw {
namespace {

constexpr std::array<std::string_view, 2> kind_names = {"exact", "rounding"};

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014): a good 64-bit hash, written out because
/// the standard library's distributions differ between implementations.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// Uniform in [-amplitude, amplitude].
std::int32_t integer(std::uint64_t random, std::int32_t amplitude) {
  return static_cast<std::int32_t>(random % (2 * static_cast<std::uint64_t>(amplitude) + 1)) - amplitude;
}

/// A random sign and mantissa, and a magnitude from 2^-3 up to 2^3: six binades, so that most sums must shift
/// an operand and round, and 4096 members stay below FP16's largest number, 65504.
float spread(std::uint64_t random) {
  const auto sign = static_cast<std::uint32_t>(random >> 63) << 31;
  const auto exponent = static_cast<std::uint32_t>(127 - 3 + (random >> 32) % 6);
  const auto mantissa = static_cast<std::uint32_t>(random) & 0x7fffff;
  const std::uint32_t bits = sign | exponent << 23 | mantissa;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Below 2^18, so that a sum of 4096 members does not wrap.
constexpr std::int32_t wide_amplitude = (1 << 18) - 1;

std::vector<std::byte> random_bytes(std::uint64_t salt, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i)
    bytes[i] = static_cast<std::byte>(mix(salt + i % DataPattern::period) & 0xff);
  return bytes;
}

}  // namespace

std::string_view to_string(PatternKind kind) {
  return kind_names.at(static_cast<std::size_t>(kind));
}

std::optional<PatternKind> parse_pattern_kind(std::string_view name) {
  for (std::size_t i = 0; i < kind_names.size(); ++i) {
    if (kind_names[i] == name) return static_cast<PatternKind>(i);
  }
  return std::nullopt;
}

DataPattern::DataPattern(PatternKind kind, std::uint64_t seed, std::size_t max_count, std::uint32_t shares)
    : kind_(kind), seed_(seed), max_count_(max_count), shares_(shares) {}

std::int32_t DataPattern::amplitude(DType dtype, std::uint32_t members) {
  if (members == 0) throw InternalError("data of an operation without members");
  constexpr std::int64_t exact_range[] = {std::int64_t{1} << 11, std::int64_t{1} << 8, std::int64_t{1} << 24,
                                          std::int64_t{1} << 31};
  const std::int64_t share = exact_range[static_cast<std::size_t>(dtype)] / members;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(share, 1, 1024));
}

std::uint64_t DataPattern::phase(OperationId operation, NpuId npu) const {
  // Steps of one stride from NPU to NPU: the period being prime, no two NPUs of an operation begin at one
  // place.
  const std::uint64_t base = mix(mix(seed_) + operation.value);
  const std::uint64_t stride = 1 + mix(base) % (period - 1);
  return (base + npu.value * stride % period) % period;
}

std::uint64_t DataPattern::start(OperationId operation, NpuId npu, std::uint64_t first,
                                 std::size_t count) const {
  if (count > max_count_) throw InternalError("more data asked for at once than the pattern was made for");
  return (phase(operation, npu) + first % period) % period;
}

const std::byte* DataPattern::elements(OperationId operation, NpuId npu, DType dtype, std::uint32_t members,
                                       std::uint64_t first, std::size_t count) {
  return table(dtype, members) + start(operation, npu, first, count) * size_of(dtype);
}

const std::byte* DataPattern::bytes(OperationId operation, NpuId npu, std::uint64_t first,
                                    std::size_t count) {
  if (!placed_.empty()) {
    const auto found = placed_.find({operation, npu});
    if (found != placed_.end()) return found->second + first;
  }
  if (byte_table_.empty()) byte_table_ = random_bytes(mix(seed_), period + max_count_);
  return byte_table_.data() + start(operation, npu, first, count);
}

void DataPattern::place(OperationId operation, NpuId npu, const std::byte* data) {
  placed_[{operation, npu}] = data;
}

const std::byte* DataPattern::table(DType dtype, std::uint32_t members) {
  const std::int32_t wanted =
      kind_ == PatternKind::exact ? amplitude(dtype, members * shares_) : wide_amplitude;
  for (const Table& t : tables_) {
    if (t.dtype == dtype && t.amplitude == wanted) return t.elements.data();
  }
  return tables_.emplace_back(make_table(dtype, wanted)).elements.data();
}

DataPattern::Table DataPattern::make_table(DType dtype, std::int32_t amplitude) const {
  const std::uint64_t salt = mix(mix(seed_) ^ (std::uint64_t{1} << 32 | static_cast<std::uint64_t>(dtype)));
  const std::size_t count = period + max_count_;
  Table table{dtype, amplitude, std::vector<std::byte>(count * size_of(dtype))};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t random = mix(salt + i % period);
    std::byte* element = table.elements.data() + i * size_of(dtype);
    if (dtype == DType::int32) {
      const std::int32_t value = integer(random, amplitude);
      std::memcpy(element, &value, sizeof value);
    } else {
      const float value =
          kind_ == PatternKind::exact ? static_cast<float>(integer(random, amplitude)) : spread(random);
      round_from_fp32(dtype, &value, element, 1);
    }
  }
  return table;
}

}  // namespace fredsim::hw
