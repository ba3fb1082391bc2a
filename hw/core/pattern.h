#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/core/dtype.h"
#include "hw/core/ids.h"

namespace fredsim::hw {

/// What the elements of a reduction are made of.
enum class PatternKind : std::uint8_t {
  exact,     ///< small integers: a sum has the same bits in whatever order it is taken
  rounding,  ///< full mantissas over several binades: sums round, so that their bits show the order
};

/// "exact", "rounding".
std::string_view to_string(PatternKind);
std::optional<PatternKind> parse_pattern_kind(std::string_view);

/// The source data of a workload. Nothing is generated per packet: the elements that NPU n contributes to
/// operation o are table[(phase(o, n) + i) mod period], and the table is stored long enough that a packet of
/// them is one contiguous piece. Equal arguments give equal data on every machine.
class DataPattern {
 public:
  /// Elements after which data repeats. A prime, so that no packet equals another of its stream before that.
  static constexpr std::uint64_t period = 65537;

  /// `max_count`: the elements or bytes of the largest piece that will be asked for. Exact data stay exact in
  /// a sum of `shares` operations' sums.
  DataPattern(PatternKind kind, std::uint64_t seed, std::size_t max_count, std::uint32_t shares = 1);

  /// `count` elements from element `first` on of what `npu` contributes to `operation`, a reduction among
  /// `members`. Valid as long as this object lives. Allocates only when (dtype, amplitude) is new. Throws
  /// InternalError when `count` is above max_count or `members` is zero.
  const std::byte* elements(OperationId operation, NpuId npu, DType dtype, std::uint32_t members,
                            std::uint64_t first, std::size_t count);

  /// The same for an operation that only moves data: `count` random bytes from byte `first` on.
  const std::byte* bytes(OperationId operation, NpuId npu, std::uint64_t first, std::size_t count);

  /// From now on bytes() of these two are `data`, from byte 0 on, which must outlive this object or be placed
  /// anew: what one operation has come to, for another one to move.
  void place(OperationId operation, NpuId npu, const std::byte* data);

  /// Where in the table the data of (operation, npu) begins, below `period`: results repeat with the period
  /// too, so a golden model can compute them once.
  std::uint64_t phase(OperationId operation, NpuId npu) const;

  PatternKind kind() const { return kind_; }

  /// The largest magnitude in `exact` data of a sum of `members`: the sum of that many stays in the range in
  /// which the dtype holds every integer (FP16 2^11, BF16 2^8, FP32 2^24, INT32 2^31), and 1 at the least,
  /// 1024 at the most. With more members than that range (BF16 from 257, FP16 from 2049) exactness rests on
  /// chance: the values are -1, 0 and 1, so the spread of a sum is sqrt(2 members / 3), and up to 1024
  /// members in BF16 the range is nine times that.
  static std::int32_t amplitude(DType dtype, std::uint32_t members);

 private:
  struct Table {
    DType dtype;
    std::int32_t amplitude;
    std::vector<std::byte> elements;
  };

  std::uint64_t start(OperationId operation, NpuId npu, std::uint64_t first, std::size_t count) const;
  const std::byte* table(DType dtype, std::uint32_t members);
  Table make_table(DType dtype, std::int32_t amplitude) const;

  PatternKind kind_;
  std::uint64_t seed_;
  std::size_t max_count_;
  std::uint32_t shares_;
  std::map<std::pair<OperationId, NpuId>, const std::byte*> placed_;
  std::vector<Table> tables_;  // few: one for each dtype and amplitude in use
  std::vector<std::byte> byte_table_;
};

}  // namespace fredsim::hw
