#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "hw/core/ids.h"
#include "hw/core/quantity.h"

namespace fredsim::accel {

/// Where the NPUs of a system say which parts of operations they have started and ended. It tells those who
/// wait for an operation to end everywhere, and keeps the times for the results.
class OperationBoard {
 public:
  class Listener {
   public:
    /// Every member's part of `operation` has ended, now.
    virtual void operation_ended(hw::OperationId operation) = 0;

   protected:
    ~Listener() = default;
  };

  struct Times {
    std::uint32_t members = 0;
    std::uint32_t started = 0;  ///< members
    std::uint32_t ended = 0;
    hw::Time start;  ///< of the first member's part
    hw::Time end;    ///< of the last member's part; meaningful when all have ended
    bool has_ended() const { return ended == members; }
  };

  /// `members`: the number of parts of each operation, by OperationId.
  explicit OperationBoard(const std::vector<std::uint32_t>& members);

  /// Called when an operation's first member starts. At most one; for triggers and progress.
  void on_start(std::function<void(hw::OperationId, hw::Time)> callback) { on_start_ = std::move(callback); }
  void subscribe(hw::OperationId operation, Listener& listener);

  void started(hw::OperationId operation, hw::Time at);
  void ended(hw::OperationId operation, hw::Time at);

  const Times& operator[](hw::OperationId operation) const { return times_.at(operation.value); }
  std::size_t operations() const { return times_.size(); }
  std::size_t operations_ended() const { return ended_; }
  bool all_ended() const { return ended_ == times_.size(); }

 private:
  std::vector<Times> times_;
  std::vector<std::vector<Listener*>> listeners_;
  std::size_t ended_ = 0;
  std::function<void(hw::OperationId, hw::Time)> on_start_;
};

}  // namespace fredsim::accel
