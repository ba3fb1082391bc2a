#pragma once

#include <systemc>

#include "hw/core/quantity.h"

namespace fredsim::hw {

/// sc_time and Time are the same count: the time resolution is 1 fs (set_time_resolution, before anything
/// else).
inline sc_core::sc_time to_sc(Time t) {
  return sc_core::sc_time::from_value(static_cast<sc_core::sc_time::value_type>(t.fs()));
}
inline Time from_sc(const sc_core::sc_time& t) {
  return Time::fs(static_cast<std::int64_t>(t.value()));
}
inline Time now() {
  // The kernel gives a reference to its clock, by two calls into its library; a process has one simulation.
  static const sc_core::sc_time& clock = sc_core::sc_time_stamp();
  return from_sc(clock);
}

/// Sets SystemC's time resolution to 1 fs, once a process. Call it before the first sc_time or module is
/// made. Throws InternalError when a simulation has run in this process.
void set_time_resolution();

}  // namespace fredsim::hw
