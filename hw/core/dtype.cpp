#include "hw/core/dtype.h"

#include <array>

namespace fredsim::hw {
namespace {

constexpr std::array<std::string_view, 4> dtype_names = {"fp16", "bf16", "fp32", "int32"};
constexpr std::array<std::string_view, 3> reduce_op_names = {"sum", "min", "max"};

}  // namespace

std::string_view to_string(DType dtype) {
  return dtype_names.at(static_cast<std::size_t>(dtype));
}

std::string_view to_string(ReduceOp op) {
  return reduce_op_names.at(static_cast<std::size_t>(op));
}

std::optional<DType> parse_dtype(std::string_view name) {
  for (std::size_t i = 0; i < dtype_names.size(); ++i) {
    if (dtype_names[i] == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

std::optional<ReduceOp> parse_reduce_op(std::string_view name) {
  for (std::size_t i = 0; i < reduce_op_names.size(); ++i) {
    if (reduce_op_names[i] == name) return static_cast<ReduceOp>(i);
  }
  return std::nullopt;
}

}  // namespace fredsim::hw
