#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/core/records.h"

namespace fredsim::tb {

/// Where the results of collectives lie and what they are made of, from their definitions alone. A result
/// buffer holds
///   all_reduce, reduce, broadcast, send, load: the data from byte 0 on (load in mode shard: the member's
///   shard); reduce_scatter: the member's own shard of the sum, from byte 0 on; all_gather, gather: the shard
///   of rank r at r bytes;   scatter: the member's own block, from byte 0 on; all_to_all: the blocks in the
///   order of the ranks they come from, all of the member's own block size.
/// A member's own part of it that crosses no network (its own shard, the root's own block) is no piece.
class ResultLayout {
 public:
  /// A stretch of a result buffer that comes over the network from one place.
  struct Piece {
    std::uint64_t begin = 0;  ///< bytes of the result buffer
    std::uint64_t end = 0;
    hw::OperationId source_operation;  ///< whose data it is: the operation itself; for a receive, its send
    hw::NpuId source;                  ///< whose data it is, when nothing is reduced
    std::uint64_t source_begin =
        0;  ///< the byte of the source buffer (or of the whole sum) that is at `begin`
  };

  /// `dtype` is that of operations that name none. Keeps a reference to `workload`.
  ResultLayout(const hw::Workload& workload, hw::DType dtype) : workload_(workload), dtype_(dtype) {}

  /// The piece that `byte` of the result of `operation` at its member of this rank lies in; none if nothing
  /// is expected there.
  std::optional<Piece> piece_at(hw::OperationId operation, std::size_t rank, std::uint64_t byte) const;
  /// All of them, ascending.
  std::vector<Piece> pieces(hw::OperationId operation, std::size_t rank) const;
  /// None if the NPU is no member. Takes time in proportion to the group's size.
  std::optional<std::size_t> rank_of(hw::OperationId operation, hw::NpuId npu) const;

  const hw::Operation& operation(hw::OperationId o) const { return workload_.operations[o.value]; }
  const hw::Workload& workload() const { return workload_; }
  hw::DType dtype(hw::OperationId o) const { return operation(o).dtype.value_or(dtype_); }
  /// Of its dtype for reductions, 1 otherwise.
  std::uint32_t element_bytes(hw::OperationId) const;

 private:
  const hw::Workload& workload_;
  hw::DType dtype_;
};

}  // namespace fredsim::tb
