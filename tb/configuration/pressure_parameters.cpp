#include <string>

#include "tb/configuration/declaration.h"
#include "tb/configuration/parameter_groups.h"

namespace fredsim::tb {

void add_pressure_parameters(ParameterList& list) {
  const auto pressed = [](const Configuration& c) { return c.pressure.seed != 0; };
  const std::string no_pressure = "with pressure.seed: 0, which is no pressure; give a seed of 1 or more";
  list.push_back(integer(
                     "pressure.seed", [](auto& c) -> auto& { return c.pressure.seed; })
                     .range("0", "1000000000000000000")
                     .defaults_to("0")
                     .means("Where the random numbers of random pressure start, which shakes links, credits, "
                            "receivers and starts; 0 for none.")
                     .source("free choice"));
  list.push_back(time(
                     "pressure.delay", [](auto& c) -> auto& { return c.pressure.delay; })
                     .only_if(pressed, no_pressure)
                     .range("0 ns", "1 ms")
                     .defaults_to("20 ns")
                     .means("The most by which random pressure delays a packet or a credit on a link.")
                     .source("free choice: three round trips of 3.3 ns each way"));
  list.push_back(time(
                     "pressure.start", [](auto& c) -> auto& { return c.pressure.start; })
                     .only_if(pressed, no_pressure)
                     .range("0 ns", "1 s")
                     .defaults_to("200 ns")
                     .means("The most by which random pressure delays the start of an NPU's part in an "
                            "operation.")
                     .source("free choice"));
  list.push_back(integer(
                     "pressure.slowdown", [](auto& c) -> auto& { return c.pressure.slowdown; })
                     .only_if(pressed, no_pressure)
                     .range("1", "1000")
                     .defaults_to("4")
                     .means("The most by which random pressure slows down a receiver: it gives a packet's "
                            "room back after so many times the packet's own time on the link.")
                     .source("free choice"));
}

void add_watchdog_parameters(ParameterList& list) {
  list.push_back(time(
                     "watchdog.starvation", [](auto& c) -> auto& { return c.watchdog.starvation; })
                     .range("1 ns", "1000 s")
                     .defaults_to("1 s")
                     .means("An operation that all its members have started and of which nothing arrives for "
                            "this long, while others move, ends the run as starved; it is looked for at "
                            "every multiple of this time.")
                     .source("free choice"));
}

}  // namespace fredsim::tb
