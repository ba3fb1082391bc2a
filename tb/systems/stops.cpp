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

std::optional<hw::Time> Stops::run(std::optional<hw::Time> until) {
  const hw::Time end = until.value_or(hw::Time::max());
  hw::Time event;  // when the next one is due: modules begin at time 0
  while (true) {
    hw::Time next = end;
    for (const Period& period : periods_) next = std::min(next, period.next);
    if (next == hw::Time::max()) {
      sc_core::sc_start();
      return std::nullopt;
    }
    if (event <= next) {  // the kernel warns of a stretch without one
      sc_core::sc_start(hw::to_sc(next - hw::now()), sc_core::SC_EXIT_ON_STARVATION);
    }
    if (next == end || !sc_core::sc_pending_activity()) return std::nullopt;
    event = hw::now() + hw::from_sc(sc_core::sc_time_to_pending_activity());
    for (Period& period : periods_) {
      if (period.next != next) continue;
      // Another look may end the run before the next event.
      hw::Time upcoming = std::min(event, end);
      for (const Period& other : periods_) {
        if (&other != &period && other.next > next) upcoming = std::min(upcoming, other.next);
      }
      if (!period.look(next, upcoming)) return next;
      period.next = multiple_after(period.period, std::max(next, upcoming - hw::Time::fs(1)));
    }
  }
}

}  // namespace fredsim::tb
