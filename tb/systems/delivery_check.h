#pragma once

#include <functional>
#include <systemc>
#include <tlm>

#include "accel/npu/delivery.h"
#include "tb/verify/scoreboard.h"

namespace fredsim::tb {

/// Binds the scoreboard to the NPUs' analysis ports.
class DeliveryCheck : public sc_core::sc_object, public tlm::tlm_analysis_if<accel::Delivery> {
 public:
  /// `on_wrong` is called once, at the first wrong element; `on_progress` every so many bytes.
  DeliveryCheck(const char* name, Scoreboard& scoreboard, std::function<void(hw::Time)> on_wrong,
                std::function<void(std::uint64_t)> on_progress)
      : sc_object(name),
        scoreboard_(scoreboard),
        on_wrong_(std::move(on_wrong)),
        on_progress_(std::move(on_progress)) {}

  void write(const accel::Delivery& delivery) override {
    scoreboard_.write(delivery);
    if (!wrong_ && scoreboard_.wrong_elements() > 0) {
      wrong_ = true;
      if (on_wrong_) on_wrong_(delivery.at);
    }
    bytes_ += delivery.bytes;
    if (on_progress_ && bytes_ >= report_at_) {
      report_at_ = bytes_ + progress_step;
      on_progress_(bytes_);
    }
  }

 private:
  static constexpr std::uint64_t progress_step = 4 << 20;

  Scoreboard& scoreboard_;
  std::function<void(hw::Time)> on_wrong_;
  std::function<void(std::uint64_t)> on_progress_;
  std::uint64_t bytes_ = 0;
  std::uint64_t report_at_ = progress_step;
  bool wrong_ = false;
};

}  // namespace fredsim::tb
