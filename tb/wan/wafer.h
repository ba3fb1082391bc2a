#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "accel/npu/operation_board.h"
#include "hw/core/pattern.h"
#include "hw/link/environment.h"
#include "switch/fabric/tree.h"
#include "tb/systems/delivery_check.h"
#include "tb/systems/system.h"
#include "tb/verify/golden.h"
#include "tb/verify/scoreboard.h"
#include "tb/wan/wafer_plan.h"

namespace fredsim::tb {

/// The fabric of one site with all its NPUs: before the rounds it adds up what its NPUs have, after them it
/// brings the sum of all sites to every NPU. It is a system as any other, with a scoreboard of its own that
/// checks every delivery; only the gates of its program are the WAN's.
class Wafer : public sc_core::sc_module, private accel::OperationBoard::Listener {
 public:
  /// `plan` must outlive it. `seed` makes this wafer's data, `shares` is how many wafers' sums are added up.
  Wafer(sc_core::sc_module_name name, const WaferPlan& plan, std::uint64_t seed, std::uint32_t shares,
        bool data);
  ~Wafer() override;

  /// The sum of what the NPUs have, by the golden model; empty without data.
  const std::vector<std::byte>& update() const { return update_; }
  /// The reduce-scatter begins at `at`, now or later.
  void begin(hw::Time at);
  /// Told when the boundary NPU has the sum of the wafer.
  std::function<void(hw::Time at)> reduced;
  /// What the boundary NPU hands out, and what it must be. Nothing in timing-only runs.
  void set_sum(const std::vector<std::byte>& is, const std::vector<std::byte>& must);
  /// The sum of all sites is there at `at`, now or later.
  void spread(hw::Time at);
  /// Told when every NPU has it.
  std::function<void(hw::Time at)> published;

  /// Spent on the wafer so far: before the rounds, and after them.
  hw::Time busy() const { return reduced_at_ - begun_at_ + (published_at_ - spread_at_); }
  const Scoreboard& scoreboard() const { return *scoreboard_; }
  /// To be called when all is over.
  void finish() { scoreboard_->finish(); }
  const System& system() const { return *system_; }
  std::uint64_t kernel_events() const { return environment_.context.kernel_events; }
  /// "reduce" while that is under way; empty when the wafer waits for others or is done.
  std::string under_way() const;

 private:
  void operation_ended(hw::OperationId operation) override;
  void open_gate();
  void open_at(hw::OperationId gate, hw::Time at);
  /// The bytes, cut into shards padded to the longest.
  std::vector<std::byte> padded(const std::vector<std::byte>& update) const;
  void place(hw::OperationId operation, std::uint32_t npu, const std::vector<std::byte>& is,
             const std::vector<std::byte>& must, std::uint64_t shard);

  const WaferPlan& plan_;
  hw::Environment environment_;
  accel::OperationBoard board_;
  std::vector<std::string> operation_names_;
  ResultLayout layout_;
  sw::Tree tree_;
  RankOrder order_;
  std::optional<hw::DataPattern> pattern_;
  std::optional<Golden> golden_;
  std::optional<Scoreboard> scoreboard_;
  std::optional<DeliveryCheck> check_;
  std::unique_ptr<System> system_;
  std::vector<std::byte> update_, shards_, sum_is_, sum_must_;
  hw::OperationId gate_{WaferPlan::begin};
  hw::Time begun_at_, reduced_at_, spread_at_, published_at_;
  sc_core::sc_event gate_event_;
};

}  // namespace fredsim::tb
