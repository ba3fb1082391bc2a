#include "tb/verify/golden.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cstring>
#include <optional>

#include "tb/tests/plan/workloads.h"

namespace fredsim::tb {
namespace {

using hw::NpuId;
using hw::OperationId;
using hw::OperationType;
using testing::WorkloadBuilder;

using Bytes = std::vector<std::byte>;
using Result = std::vector<std::optional<std::byte>>;

constexpr std::uint64_t seed = 7;

/// What the golden model says of a whole result, in pieces of `step` bytes; empty where nothing is expected.
Result golden_result(const ResultLayout& layout, Golden& golden, OperationId o, NpuId npu, std::uint64_t size,
                     std::uint32_t step) {
  Result result(size);
  const std::optional<std::size_t> rank = layout.rank_of(o, npu);
  if (!rank) return result;
  for (std::uint64_t at = 0; at < size;) {
    const std::optional<ResultLayout::Piece> piece = layout.piece_at(o, *rank, at);
    if (!piece) {
      ++at;
      continue;
    }
    const Golden::View view = golden.view(o, *piece, at, step);
    EXPECT_GT(view.bytes, 0u);
    EXPECT_LE(view.bytes, step);
    std::copy(view.data, view.data + view.bytes, result.begin() + static_cast<std::ptrdiff_t>(at));
    at += view.bytes;
  }
  EXPECT_FALSE(layout.piece_at(o, *rank, size));
  return result;
}

Bytes source_of(const hw::Operation& operation, OperationId o, NpuId npu, hw::DType dtype,
                hw::PatternKind kind, std::uint64_t bytes) {
  hw::DataPattern pattern(kind, seed, 16);
  Bytes data;
  const std::uint64_t element = hw::reduces(operation.type) ? hw::size_of(dtype) : 1;
  for (std::uint64_t i = 0; i * element < bytes; ++i) {
    const std::byte* e =
        hw::reduces(operation.type)
            ? pattern.elements(o, npu, dtype, static_cast<std::uint32_t>(operation.npus.size()), i, 1)
            : pattern.bytes(o, npu, i, 1);
    data.insert(data.end(), e, e + element);
  }
  return data;
}

template <class T>
T combine(hw::ReduceOp op, T a, T b) {
  if (op == hw::ReduceOp::sum) return static_cast<T>(a + b);
  return op == hw::ReduceOp::min ? std::min(a, b) : std::max(a, b);
}

/// a op b, element by element, by Eigen and the compiler; the data has neither NaN nor zeros of both signs.
template <class T>
Bytes combine_as(hw::ReduceOp op, const Bytes& a, const Bytes& b) {
  Bytes out(a.size());
  for (std::size_t i = 0; i < a.size(); i += sizeof(T)) {
    T x, y;
    std::memcpy(&x, &a[i], sizeof x);
    std::memcpy(&y, &b[i], sizeof y);
    const T z = combine(op, x, y);
    std::memcpy(&out[i], &z, sizeof z);
  }
  return out;
}

Bytes combine(hw::DType dtype, hw::ReduceOp op, const Bytes& a, const Bytes& b) {
  switch (dtype) {
    case hw::DType::fp16:
      return combine_as<Eigen::half>(op, a, b);
    case hw::DType::bf16:
      return combine_as<Eigen::bfloat16>(op, a, b);
    case hw::DType::fp32:
      return combine_as<float>(op, a, b);
    case hw::DType::int32:
      return combine_as<std::int32_t>(op, a, b);
  }
  return {};
}

/// All members' data added up as a FRED(8) with every member present does, written out, absent ports left
/// out.
Bytes tree_sum(const hw::Operation& operation, OperationId o, hw::DType dtype, hw::PatternKind kind,
               std::uint64_t bytes) {
  std::vector<std::optional<Bytes>> wires(8);
  for (const NpuId npu : operation.npus) wires[npu.value] = source_of(operation, o, npu, dtype, kind, bytes);
  const auto join = [&](const std::optional<Bytes>& a, const std::optional<Bytes>& b) {
    if (a && b) return std::make_optional(combine(dtype, operation.op, *a, *b));
    return a ? a : b;
  };
  const auto half = [&](std::size_t p) {
    return join(join(wires[p], wires[p + 1]), join(wires[p + 2], wires[p + 3]));
  };
  return *join(half(0), half(4));
}

Result as_result(const Bytes& bytes) {
  return Result(bytes.begin(), bytes.end());
}

class GoldenReductions
    : public ::testing::TestWithParam<std::tuple<hw::DType, hw::ReduceOp, hw::PatternKind, std::uint64_t>> {};

TEST_P(GoldenReductions, EqualTheTreeOverWholeBuffers) {
  const auto [dtype, op, kind, bytes] = GetParam();
  WorkloadBuilder b;
  b.add("other", OperationType::barrier, {0, 1});  // operation 1, not 0, from here on
  for (const OperationType type :
       {OperationType::all_reduce, OperationType::reduce, OperationType::reduce_scatter}) {
    const OperationId o = b.add("o", type, {6, 3, 1, 2, 7}, bytes);
    b.at(o).dtype = dtype;
    b.at(o).op = op;
    b.at(o).root = NpuId(3);
  }
  const ResultLayout layout(b.workload(), hw::DType::fp16);
  const TreeOrder order(sw::single_switch(8));
  Golden golden(layout, kind, seed, order);
  const std::uint64_t element = hw::size_of(dtype);
  const std::uint64_t elements = (bytes + element - 1) / element;
  for (std::uint32_t i = 1; i <= 3; ++i) {
    const OperationId o(i);
    const hw::Operation& operation = b.at(o);
    const Bytes whole = tree_sum(operation, o, dtype, kind, elements * element);
    for (std::size_t r = 0; r < operation.npus.size(); ++r) {
      std::uint64_t begin = 0, end = elements * element;
      if (operation.type == OperationType::reduce_scatter) {
        begin = r * elements / 5 * element;
        end = (r + 1) * elements / 5 * element;
      }
      if (operation.type == OperationType::reduce && operation.npus[r] != NpuId(3)) end = 0;
      const Bytes expected(whole.begin() + static_cast<std::ptrdiff_t>(begin),
                           whole.begin() + static_cast<std::ptrdiff_t>(std::max(begin, end)));
      EXPECT_EQ(golden_result(layout, golden, o, operation.npus[r], expected.size(), 4092),
                as_result(expected));
    }
  }
  EXPECT_EQ(golden.kept(), 3u);
  for (std::uint32_t i = 1; i <= 3; ++i) golden.release(OperationId(i));
  EXPECT_EQ(golden.kept(), 0u);
}

// 2 x 65537 elements of two bytes and a little more: the pattern's period is passed twice.
INSTANTIATE_TEST_SUITE_P(
    All, GoldenReductions,
    ::testing::Combine(::testing::Values(hw::DType::fp16, hw::DType::bf16, hw::DType::fp32, hw::DType::int32),
                       ::testing::Values(hw::ReduceOp::sum, hw::ReduceOp::min, hw::ReduceOp::max),
                       ::testing::Values(hw::PatternKind::exact, hw::PatternKind::rounding),
                       ::testing::Values(1, 7, 10'001, 270'001)));

/// Data that only moves: every result byte is the source byte that the definition names.
TEST(Golden, CopiesWhatMoves) {
  const std::vector<std::uint32_t> group = {4, 0, 7};
  for (const std::uint64_t bytes : {1, 2, 100, 70'001}) {
    SCOPED_TRACE(bytes);
    WorkloadBuilder b;
    const OperationId broadcast = b.add("broadcast", OperationType::broadcast, group, bytes);
    const OperationId all_gather = b.add("all_gather", OperationType::all_gather, group, bytes);
    const OperationId gather = b.add("gather", OperationType::gather, group, bytes);
    const OperationId scatter = b.add("scatter", OperationType::scatter, group, bytes);
    const OperationId all_to_all = b.add("all_to_all", OperationType::all_to_all, group, bytes);
    for (const OperationId o : {broadcast, gather, scatter}) b.at(o).root = NpuId(0);
    const auto [send, recv] = b.add_message("m", 2, 5, bytes);
    const ResultLayout layout(b.workload(), hw::DType::fp16);
    const RankOrder order;
    Golden golden(layout, hw::PatternKind::exact, seed, order);
    const auto source = [&](OperationId o, std::uint32_t npu, std::uint64_t size) {
      return source_of(b.at(o), o, NpuId(npu), hw::DType::fp16, hw::PatternKind::exact, size);
    };
    const auto result = [&](OperationId o, std::uint32_t npu, std::uint64_t size) {
      return golden_result(layout, golden, o, NpuId(npu), size, 4090);
    };
    const auto slice = [](const Bytes& data, std::uint64_t begin, std::uint64_t end) {
      return Bytes(data.begin() + static_cast<std::ptrdiff_t>(begin),
                   data.begin() + static_cast<std::ptrdiff_t>(end));
    };
    const auto append = [](Result& to, const Bytes& data) { to.insert(to.end(), data.begin(), data.end()); };

    for (std::uint64_t r = 0; r < 3; ++r) {
      const std::uint32_t npu = group[r];
      EXPECT_EQ(result(broadcast, npu, npu == 0 ? 0 : bytes),
                npu == 0 ? Result{} : as_result(source(broadcast, 0, bytes)));
      EXPECT_EQ(
          result(scatter, npu, npu == 0 ? 0 : bytes),
          npu == 0 ? Result{} : as_result(slice(source(scatter, 0, 3 * bytes), r * bytes, (r + 1) * bytes)));
      Result gathered, at_root, exchanged;
      const std::uint64_t begin = r * bytes / 3, end = (r + 1) * bytes / 3;
      for (const std::uint32_t from : group) {
        if (from == npu) {
          gathered.resize(gathered.size() + bytes);
          at_root.resize(at_root.size() + bytes);
          exchanged.resize(exchanged.size() + end - begin);
        } else {
          append(gathered, source(all_gather, from, bytes));
          append(at_root, source(gather, from, bytes));
          append(exchanged, slice(source(all_to_all, from, bytes), begin, end));
        }
      }
      EXPECT_EQ(result(all_gather, npu, 3 * bytes), gathered);
      EXPECT_EQ(result(gather, npu, npu == 0 ? 3 * bytes : 0), npu == 0 ? at_root : Result{});
      EXPECT_EQ(result(all_to_all, npu, 3 * (end - begin)), exchanged);
    }
    EXPECT_EQ(result(recv, 5, bytes), as_result(source(send, 2, bytes)));
    EXPECT_EQ(golden.kept(), 0u) << "what only moves is not stored";
  }
}

TEST(Golden, ExpectsNothingOfWhatStaysAtHome) {
  WorkloadBuilder b;
  for (const OperationType type :
       {OperationType::all_reduce, OperationType::reduce, OperationType::broadcast,
        OperationType::reduce_scatter, OperationType::all_gather, OperationType::gather,
        OperationType::scatter, OperationType::all_to_all, OperationType::barrier, OperationType::compute}) {
    b.at(b.add("o", type, {3}, 100)).root = NpuId(3);
  }
  b.add_message("self", 3, 3, 100);
  const ResultLayout layout(b.workload(), hw::DType::fp16);
  for (std::uint32_t o = 0; o < b.workload().operations.size(); ++o) {
    const std::optional<std::size_t> rank = layout.rank_of(OperationId(o), NpuId(3));
    EXPECT_TRUE(!rank || layout.pieces(OperationId(o), *rank).empty()) << o;
    EXPECT_FALSE(layout.rank_of(OperationId(o), NpuId(0))) << o;
  }
}

}  // namespace
}  // namespace fredsim::tb
