#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "accel/npu/delivery.h"
#include "hw/core/records.h"
#include "tb/verify/golden.h"

namespace fredsim::tb {

/// Something that arrived wrongly, or never.
struct Fault {
  enum class Kind : std::uint8_t {
    value,         ///< an element differs from the golden model
    unexpected,    ///< this NPU expects nothing there of this operation
    doubled,       ///< delivered before
    out_of_order,  ///< ahead of, or behind, its place in its flow
    missing,       ///< never delivered
  };
  Kind kind = Kind::value;
  hw::NpuId npu;
  std::string operation;      ///< its id in the trace
  std::uint64_t element = 0;  ///< the first one, in the result buffer
  std::uint64_t elements = 0;
  std::string expected, got;  ///< kind `value`: printed in the operation's dtype, or as a byte
  hw::Time at;                ///< not for `missing`
};
/// "npu 3, operation dp0, element 17: expected 2.5, got 2.25, at 12.1 us".
std::string to_string(const Fault&);

/// Checks every delivery at every NPU: each byte of a result that comes over the network arrives exactly
/// once, in order within a flow, and with the golden model's value. Without data (timing-only) only the
/// ranges are checked.
class Scoreboard {
 public:
  /// `layout` and `golden` must outlive the scoreboard; `golden` may be null in timing-only runs. Keeps the
  /// first `keep_faults` faults.
  Scoreboard(const ResultLayout& layout, Golden* golden, std::size_t keep_faults = 10);
  Scoreboard(const Scoreboard&) = delete;
  Scoreboard& operator=(const Scoreboard&) = delete;

  void write(const accel::Delivery&);
  /// Call once, when the simulation has ended: looks for what never came.
  void finish();

  /// Elements that were compared with the golden model and equal it.
  std::uint64_t verified_elements() const { return verified_; }
  /// Elements with a wrong value, or delivered where or when they should not be.
  std::uint64_t wrong_elements() const { return wrong_; }
  /// Elements that never came; known after finish().
  std::uint64_t missing_elements() const { return missing_; }
  const std::vector<Fault>& faults() const { return faults_; }

 private:
  std::uint64_t verified_ = 0, wrong_ = 0, missing_ = 0;
  std::vector<Fault> faults_;
};

}  // namespace fredsim::tb
