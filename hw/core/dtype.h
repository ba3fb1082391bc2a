#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fredsim::hw {

enum class DType : std::uint8_t { fp16, bf16, fp32, int32 };
constexpr std::size_t dtypes = 4;
/// Elements that were added (or compared, for min and max), by DType.
using AddCounts = std::array<std::uint64_t, dtypes>;
enum class ReduceOp : std::uint8_t { sum, min, max };

constexpr std::size_t size_of(DType dtype) {
  return dtype == DType::fp16 || dtype == DType::bf16 ? 2 : 4;
}

/// "fp16", "bf16", "fp32", "int32".
std::string_view to_string(DType);
/// "sum", "min", "max".
std::string_view to_string(ReduceOp);
std::optional<DType> parse_dtype(std::string_view);
std::optional<ReduceOp> parse_reduce_op(std::string_view);

}  // namespace fredsim::hw
