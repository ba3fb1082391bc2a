#include "tb/systems/stops.h"

#include <algorithm>
#include <systemc>

#include "hw/link/sim_time.h"

namespace fredsim::tb {
namespace {

hw::Time multiple_after(hw::Time period, hw::Time at) {
  const std::int64_t count = at.fs() / period.fs() + 1;
  if (count > hw::Time::max().fs() / period.fs()) return hw::Time::max();
  return period * count;
}

}  // namespace

void Stops::every(hw::Time period, Look look) {
  periods_.push_back({period, std::move(look), period});
}

bool Stops::run(std::optional<hw::Time> until) {
  const hw::Time end = until.value_or(hw::Time::max());
  while (true) {
    hw::Time next = end;
    for (const Period& period : periods_) next = std::min(next, period.next);
    if (next == hw::Time::max()) {
      sc_core::sc_start();
      return false;
    }
    sc_core::sc_start(hw::to_sc(next - hw::now()), sc_core::SC_EXIT_ON_STARVATION);
    if (!sc_core::sc_pending_activity()) return false;
    const hw::Time upcoming = hw::now() + hw::from_sc(sc_core::sc_time_to_pending_activity());
    bool goes_on = true;
    for (Period& period : periods_) {
      if (period.next != next) continue;
      goes_on = period.look(next, upcoming) && goes_on;
      period.next = multiple_after(period.period, std::max(next, upcoming - hw::Time::fs(1)));
    }
    if (!goes_on) return true;
    if (next == end) return false;
  }
}

}  // namespace fredsim::tb
