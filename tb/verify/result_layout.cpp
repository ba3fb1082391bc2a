#include "tb/verify/result_layout.h"

#include <algorithm>

namespace fredsim::tb {

using hw::OperationType;

std::uint32_t ResultLayout::element_bytes(hw::OperationId o) const {
  return hw::reduces(operation(o).type) ? static_cast<std::uint32_t>(hw::size_of(dtype(o))) : 1;
}

std::optional<std::size_t> ResultLayout::rank_of(hw::OperationId id, hw::NpuId npu) const {
  const hw::Group& group = operation(id).npus;
  const auto member = std::find(group.begin(), group.end(), npu);
  if (member == group.end()) return std::nullopt;
  return static_cast<std::size_t>(member - group.begin());
}

std::optional<ResultLayout::Piece> ResultLayout::piece_at(hw::OperationId id, std::size_t rank,
                                                          std::uint64_t byte) const {
  const hw::Operation& op = operation(id);
  const hw::NpuId npu = op.npus[rank];
  const std::uint64_t own = rank;
  const std::uint64_t ranks = op.npus.size();
  const std::uint64_t element = element_bytes(id);
  const std::uint64_t elements = (op.bytes + element - 1) / element;

  Piece piece;
  piece.source_operation = id;
  // The piece of rank r when every rank has `size` bytes, one rank after the other.
  const auto nth = [&](std::uint64_t size) -> std::uint64_t {
    const std::uint64_t r = size == 0 ? ranks : byte / size;
    piece.begin = r * size;
    piece.end = piece.begin + size;
    if (r < ranks) piece.source = op.npus[r];
    return r;
  };
  const auto whole = [&](std::uint64_t size) { piece.end = size; };

  switch (op.type) {
    case OperationType::all_reduce:
      if (ranks == 1) return std::nullopt;
      whole(elements * element);
      break;
    case OperationType::reduce:
      if (ranks == 1 || npu != *op.root) return std::nullopt;
      whole(elements * element);
      break;
    case OperationType::reduce_scatter: {
      if (ranks == 1) return std::nullopt;
      const hw::Range shard = hw::shard(elements, ranks, own);
      whole(shard.size() * element);
      piece.source_begin = shard.begin * element;
      break;
    }
    case OperationType::broadcast:
      if (npu == *op.root) return std::nullopt;
      whole(op.bytes);
      piece.source = *op.root;
      break;
    case OperationType::scatter:
      if (npu == *op.root) return std::nullopt;
      whole(op.bytes);
      piece.source = *op.root;
      piece.source_begin = own * op.bytes;
      break;
    case OperationType::gather:
      if (npu != *op.root) return std::nullopt;
      if (const std::uint64_t r = nth(op.bytes); r >= ranks || r == own) return std::nullopt;
      break;
    case OperationType::all_gather:
      if (const std::uint64_t r = nth(op.bytes); r >= ranks || r == own) return std::nullopt;
      break;
    case OperationType::all_to_all: {
      const hw::Range block = hw::shard(op.bytes, ranks, own);
      if (const std::uint64_t r = nth(block.size()); r >= ranks || r == own) return std::nullopt;
      piece.source_begin = block.begin;
      break;
    }
    case OperationType::load:
      if (op.mode == "shard") {
        const hw::Range shard = hw::shard(op.bytes, ranks, own);
        whole(shard.size());
        piece.source_begin = shard.begin;
      } else {
        whole(op.bytes);
      }
      break;
    case OperationType::recv:
      if (npu == *op.peer) return std::nullopt;
      whole(op.bytes);
      piece.source = *op.peer;
      piece.source_operation = *op.partner;
      break;
    default:
      return std::nullopt;
  }
  if (byte >= piece.end) return std::nullopt;
  return piece;
}

std::vector<ResultLayout::Piece> ResultLayout::pieces(hw::OperationId id, std::size_t rank) const {
  const hw::Operation& op = operation(id);
  const bool by_rank = op.type == OperationType::gather || op.type == OperationType::all_gather ||
                       op.type == OperationType::all_to_all;
  std::vector<Piece> found;
  std::uint64_t stride = op.bytes;
  if (op.type == OperationType::all_to_all) stride = hw::shard(op.bytes, op.npus.size(), rank).size();
  for (std::uint64_t r = 0; r < (by_rank ? op.npus.size() : 1); ++r) {
    if (const std::optional<Piece> piece = piece_at(id, rank, by_rank ? r * stride : 0))
      found.push_back(*piece);
  }
  return found;
}

}  // namespace fredsim::tb
