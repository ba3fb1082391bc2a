#include "hw/link/stall_watch.h"

#include <algorithm>

#include "hw/link/sim_time.h"

namespace fredsim::hw {

StallWatch::StallWatch(sc_core::sc_module_name name, Recorder& recorder, Time limit)
    : sc_module(name), recorder_(recorder), limit_(limit) {
  SC_HAS_PROCESS(StallWatch);
  SC_METHOD(check);
  sensitive << check_event_;
  dont_initialize();
}

StallWatch::Ticket StallWatch::begins(Time since) {
  const Ticket ticket = next_++;
  // What began so late that the limit lies beyond all simulated time can never be told.
  if (told_ || since >= Time::max() - limit_) return ticket;
  waits_.push_in_order({since, ticket, Time::max()},
                       [](const Wait& a, const Wait& b) { return a.since < b.since; });
  wake();
  return ticket;
}

void StallWatch::ends(Ticket ticket, Time at) {
  const auto found =
      std::find_if(waits_.begin(), waits_.end(), [ticket](const Wait& w) { return w.ticket == ticket; });
  if (found != waits_.end()) found->until = at;
  while (!waits_.empty() && waits_.front().until <= waits_.front().since + limit_) waits_.pop();
  wake();
}

void StallWatch::check() {
  while (!told_ && !waits_.empty() && waits_.front().since + limit_ < now()) {
    const Wait wait = waits_.pop();
    if (wait.until <= wait.since + limit_) continue;
    told_ = true;
    recorder_.event("stall", now());
  }
  wake();
}

void StallWatch::wake() {
  check_event_.cancel();  // watching must not keep a simulation going whose traffic has ended
  if (told_ || waits_.empty()) return;
  // One femtosecond later: what ends at the limit has not waited longer than it.
  const Time at = waits_.front().since + limit_ + Time::fs(1);
  check_event_.notify(to_sc(std::max(at - now(), Time())));
}

}  // namespace fredsim::hw
