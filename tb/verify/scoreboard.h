#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accel/npu/delivery.h"
#include "hw/core/records.h"
#include "tb/verify/golden.h"
#include "tb/verify/result_layout.h"

namespace fredsim::tb {

/// Something that arrived wrongly, or never.
struct Fault {
  enum class Kind : std::uint8_t {
    value,         ///< elements differ from the golden model
    unexpected,    ///< this NPU expects nothing there of this operation
    doubled,       ///< delivered before
    out_of_order,  ///< behind a later one of its flow
    missing,       ///< never delivered
  };
  Kind kind = Kind::value;
  hw::NpuId npu;
  std::uint32_t controllers = 0;  ///< I/O controllers are numbered as NPUs from here on; 0: there are none
  std::string operation;          ///< its id in the trace
  std::uint64_t element = 0;      ///< the first one, in the result buffer
  std::uint64_t elements = 0;     ///< how many of the delivery, or of the gap
  std::string expected, got;      ///< kind `value`: the first one, in the operation's dtype or as a byte
  hw::Time at;                    ///< of the delivery; not for `missing`
};
/// `npu 3, operation "dp0": element 17 is 2.25 (0x4080) instead of 2.5 (0x4100), 4 wrong of the packet
/// at 12.1 us`.
std::string to_string(const Fault&);

/// Checks every delivery at every NPU: each byte of a result that comes over the network arrives exactly
/// once, in order within a flow, and with the golden model's value. Without data (timing-only) only the
/// ranges are checked.
class Scoreboard {
 public:
  /// `layout` and `golden` must outlive the scoreboard; `golden` may be null in timing-only runs. Keeps the
  /// first `keep_faults` faults.
  Scoreboard(const ResultLayout& layout, Golden* golden, std::size_t keep_faults = 10);

  /// A delivery of a send may name the send or its receive.
  void write(const accel::Delivery&);
  /// Call once, when the simulation has ended: looks for what never came.
  void finish();

  /// Elements that were compared with the golden model and equal it.
  std::uint64_t verified_elements() const { return verified_; }
  /// Elements with a wrong value, or delivered where or when they should not be.
  std::uint64_t wrong_elements() const { return wrong_; }
  /// Elements that never came; known after finish().
  std::uint64_t missing_elements() const { return missing_; }
  /// The first ones, in the order in which they were found.
  const std::vector<Fault>& faults() const { return faults_; }

 private:
  struct Stretch {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  struct FlowEnd {
    hw::FlowId flow;
    std::uint64_t end = 0;
  };
  /// What has come at one NPU for one operation.
  struct Result {
    std::uint64_t expected = 0;  ///< bytes
    std::uint64_t received = 0;
    std::vector<Stretch> came;       ///< ascending, with gaps between them
    std::vector<FlowEnd> flow_ends;  ///< how far each flow has come; ascending flows
  };
  struct Progress {
    std::vector<Result> of_rank;  ///< empty before the first delivery and when all have come
    std::size_t incomplete = 0;   ///< results that are
    bool over = false;
  };

  /// False when some of it has come already.
  static bool add(std::vector<Stretch>& came, Stretch stretch);
  /// False when a later part of the flow has come already.
  static bool advance(std::vector<FlowEnd>& ends, hw::FlowId flow, Stretch stretch);
  Progress& progress_of(hw::OperationId);
  std::optional<std::size_t> rank_of(hw::OperationId, hw::NpuId);
  void compare(const accel::Delivery&, hw::OperationId, std::size_t rank);
  void report(Fault::Kind, const accel::Delivery&, hw::OperationId);
  void report_missing(hw::OperationId, std::size_t rank, const std::vector<Stretch>& came);
  void keep(Fault fault);

  /// Spares the look-up in the group: an NPU's deliveries are mostly of one operation after the other.
  struct LastRank {
    hw::OperationId operation{UINT32_MAX};
    std::optional<std::size_t> rank;
  };

  const ResultLayout& layout_;
  Golden* golden_;
  std::size_t keep_faults_;
  std::vector<Progress> progress_;   ///< index = OperationId
  std::vector<LastRank> last_rank_;  ///< index = NpuId
  std::uint64_t verified_ = 0, wrong_ = 0, missing_ = 0;
  std::vector<Fault> faults_;
};

}  // namespace fredsim::tb
