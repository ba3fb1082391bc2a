#include "tb/verify/golden.h"

#include <algorithm>
#include <cstring>

#include "hw/core/error.h"
#include "hw/core/reduce.h"
#include "hw/core/reduces.h"

namespace fredsim::tb {
namespace {

/// Elements asked of the pattern at a time, and bytes of a view that is not of a sum.
constexpr std::size_t chunk = 8192;

}  // namespace

Golden::Golden(const ResultLayout& layout, hw::PatternKind pattern, std::uint64_t seed,
               const ReductionOrder& order, std::uint32_t shares)
    : layout_(layout), order_(order), pattern_(pattern, seed, chunk, shares) {}

Golden::View Golden::view(hw::OperationId operation, const ResultLayout::Piece& piece, std::uint64_t first,
                          std::uint32_t bytes) {
  if (first < piece.begin || first >= piece.end)
    throw hw::InternalError("a view outside its piece of a result");
  const std::uint64_t available = std::min<std::uint64_t>(bytes, piece.end - first);
  const std::uint64_t source = piece.source_begin + (first - piece.begin);
  if (!hw::reduces(layout_.operation(operation))) {
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(available, chunk));
    return {pattern_.bytes(piece.source_operation, piece.source, source, count), count};
  }
  Sums& all = sums(operation);
  const std::uint64_t element = layout_.element_bytes(operation);
  const auto stretch =
      std::upper_bound(all.orders.stretches.begin(), all.orders.stretches.end(), source / element,
                       [](std::uint64_t at, const ReductionOrder::Stretch& s) { return at < s.end; });
  const std::vector<std::byte>& result = sum(operation, all, stretch->order);
  const std::uint64_t at = source % (hw::DataPattern::period * element);
  return {
      result.data() + at,
      static_cast<std::uint32_t>(std::min({available, result.size() - at, stretch->end * element - source}))};
}

Golden::Sums& Golden::sums(hw::OperationId id) {
  const auto [found, fresh] = sums_.try_emplace(id);
  if (!fresh) return found->second;
  const hw::Operation& operation = layout_.operation(id);
  const std::uint64_t element = layout_.element_bytes(id);
  const std::uint64_t elements = (operation.bytes + element - 1) / element;
  found->second.orders = pattern_.kind() == hw::PatternKind::exact
                             ? RankOrder().orders(id, operation.npus, elements)
                             : order_.orders(id, operation.npus, elements);
  found->second.of_order.resize(found->second.orders.orders.size());
  return found->second;
}

const std::vector<std::byte>& Golden::sum(hw::OperationId id, Sums& sums, std::uint32_t order) {
  std::vector<std::byte>& result = sums.of_order[order];
  if (!result.empty()) return result;

  const hw::Operation& operation = layout_.operation(id);
  const hw::DType dtype = layout_.dtype(id);
  const std::size_t element = hw::size_of(dtype);
  const std::uint64_t elements =
      std::min<std::uint64_t>(hw::DataPattern::period, (operation.bytes + element - 1) / element);
  const auto members = static_cast<std::uint32_t>(operation.npus.size());
  const std::vector<ReductionOrder::Step>& steps = sums.orders.orders[order];

  result.resize(elements * element);
  std::vector<std::vector<std::byte>> operands(members, std::vector<std::byte>(chunk * element));
  for (std::uint64_t first = 0; first < elements; first += chunk) {
    const std::size_t count = std::min<std::uint64_t>(chunk, elements - first);
    for (std::uint32_t m = 0; m < members; ++m) {
      const std::byte* data = pattern_.elements(id, operation.npus[m], dtype, members, first, count);
      std::memcpy(operands[m].data(), data, count * element);
    }
    std::uint32_t last = 0;
    for (const auto& [left, right] : steps) {
      std::byte* sum = operands[left].data();
      hw::reduce(dtype, operation.op, sum, operands[right].data(), sum, count);
      last = left;
    }
    std::memcpy(result.data() + first * element, operands[last].data(), count * element);
  }
  return result;
}

}  // namespace fredsim::tb
