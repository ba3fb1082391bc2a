#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tb/systems/result.h"

namespace fredsim::tb {
namespace {

constexpr std::size_t operations_shown = 12;
constexpr std::size_t waiting_shown = 20;
constexpr std::size_t turns_shown = 4;
constexpr std::size_t switches_shown = 12;

std::string in_nanoseconds(hw::TimeSum t) {
  const double ns = t.ns();
  if (ns < 1e3) return fmt::format("{:.3f} ns", ns);
  if (ns < 1e6) return fmt::format("{:.3f} us", ns / 1e3);
  if (ns < 1e9) return fmt::format("{:.3f} ms", ns / 1e6);
  return fmt::format("{:.3f} s", ns / 1e9);
}

std::string headline(const Result& result) {
  switch (result.status) {
    case Status::ok:
      return result.data ? fmt::format("done: {} elements verified, all right", result.verified_elements)
                         : "done: timing only, no data was verified";
    case Status::wrong_data:
      return fmt::format("WRONG DATA: {} elements", result.wrong_elements);
    case Status::unfinished:
      return result.out_of_time
                 ? fmt::format("NOT FINISHED: simulated time ends at {:.0f} s", hw::Time::max().seconds())
             : result.starved ? "NOT FINISHED: starvation, some have not moved for watchdog.starvation "
                                "while others did"
                              : "NOT FINISHED: deadlock, nothing moves any more";
    case Status::stopped:
      return "stopped by --until before the traffic had ended";
  }
  return "";
}

std::string operation_line(const OperationResult& operation) {
  if (!operation.ended) {
    return fmt::format("  {:<20} {:<14} {:>3} {}  {}\n", operation.id, to_string(operation.type),
                       operation.npus.size(), operation.npus.size() == 1 ? "NPU " : "NPUs",
                       operation.started ? "started, not ended" : "not started");
  }
  std::string line =
      fmt::format("  {:<20} {:<14} {:>3} {}  {:>12} to {:>12}", operation.id, to_string(operation.type),
                  operation.npus.size(), operation.npus.size() == 1 ? "NPU " : "NPUs",
                  in_nanoseconds(operation.start), in_nanoseconds(operation.end));
  if (operation.algbw() > 0) line += fmt::format("  {:8.1f} GB/s", operation.algbw());
  if (operation.padded_bytes != operation.bytes) {
    line += fmt::format("  (bytes rounded up to {})", operation.padded_bytes);
  }
  return line + "\n";
}

std::string turns_lines(const Result& result) {
  std::string text;
  for (std::size_t i = 0; i < std::min(result.turns.size(), turns_shown); ++i) {
    const TurnsResult& turns = result.turns[i];
    text +=
        turns.reason == Turns::Reason::planes
            ? fmt::format("share a plane of {} and take turns: {}\n", result.planes,
                          fmt::join(turns.operations, ", "))
            : fmt::format("take turns at {}, since they do not route together: {}; they waited {} there\n",
                          turns.place, fmt::join(turns.operations, ", "), in_nanoseconds(turns.waited));
  }
  if (result.turns.size() > turns_shown) {
    text += fmt::format("  and {} more that take turns, see `turns` in the result file\n",
                        result.turns.size() - turns_shown);
  }
  return text;
}

/// At which switch packets waited most for their route set, and which classes.
std::string route_set_line(const Result& result) {
  const auto most = std::max_element(result.switches.begin(), result.switches.end(),
                                     [](const SwitchResult& a, const SwitchResult& b) {
                                       return a.statistics.other_route_set < b.statistics.other_route_set;
                                     });
  // The first packet of a run waits for the first change: nothing to tell of.
  if (most == result.switches.end() || most->statistics.reconfigurations < 2) return "";
  if (!(hw::TimeSum() < most->statistics.other_route_set)) return "";
  std::vector<std::string> classes;
  for (std::size_t c = 0; c < hw::traffic_classes; ++c) {
    const hw::TimeSum waited = most->statistics.other_route_set_of[c];
    if (!(hw::TimeSum() < waited)) continue;
    classes.push_back(
        fmt::format("{} {}", to_string(static_cast<hw::TrafficClass>(c)), in_nanoseconds(waited)));
  }
  return fmt::format("ready while another route set was served  {}: {}; {} lost to reconfiguration\n",
                     most->name, fmt::join(classes, ", "), in_nanoseconds(most->statistics.reconfiguring));
}

std::string switch_lines(const Result& result) {
  std::string text;
  // Of routers there is nothing to tell.
  if (!result.switches.empty() && result.switches.front().route_bits == 0) return text;
  for (std::size_t i = 0; i < std::min(result.switches.size(), switches_shown); ++i) {
    const SwitchResult& s = result.switches[i];
    text += fmt::format(
        "{}: {} reductions, {} distributions, {} route sets, {} reconfigurations, {} preemptions\n", s.name,
        s.counts.reductions, s.counts.distributions, s.route_sets, s.statistics.reconfigurations,
        s.statistics.preemptions);
    if (s.statistics.route_loads > 0) {
      text += fmt::format("{}: loaded a route set {} times, which took {}\n", s.name,
                          s.statistics.route_loads, in_nanoseconds(s.statistics.loading));
    }
    if (s.packed) {
      text += fmt::format(
          "{}: the route memory is nearly full, so flows that could run together may take turns\n", s.name);
    }
  }
  if (result.switches.size() > switches_shown) {
    text += fmt::format("  and {} more switches\n", result.switches.size() - switches_shown);
  }
  return text;
}

std::string fault_lines(const Result& result) {
  std::uint64_t damaged = 0, dropped = 0, resent = 0;
  std::string given_up;
  for (const LinkResult& link : result.links) {
    damaged += link.traffic.damaged;
    dropped += link.traffic.dropped;
    resent += link.resent;
    if (link.given_up)
      given_up += fmt::format("{} was given up: no attempt to resend got through\n", link.name);
  }
  if (damaged + dropped + resent == 0) return given_up;
  return fmt::format("lost on links  {} packets damaged, {} dropped, {} sent again\n", damaged, dropped,
                     resent) +
         given_up;
}

}  // namespace

std::string summary(const Result& result) {
  std::string text = headline(result) + "\n";
  for (const Fault& fault : result.faults) text += "  " + to_string(fault) + "\n";
  for (std::size_t i = 0; i < std::min(result.waiting.size(), waiting_shown); ++i) {
    const Waiting& waiting = result.waiting[i];
    text += fmt::format("  {} at NPU {} {} for {}\n", waiting.operation, waiting.npu.value,
                        waiting.state == Waiting::State::starvation ? "is starved, waits" : "waits",
                        waiting.waits_for);
  }
  if (result.waiting.size() > waiting_shown) {
    text += fmt::format("  and {} more, see `waiting` in the result file\n",
                        result.waiting.size() - waiting_shown);
  }
  text += fmt::format("simulated {}\n", in_nanoseconds(result.simulated));

  for (std::size_t i = 0; i < std::min(result.operations.size(), operations_shown); ++i) {
    text += operation_line(result.operations[i]);
  }
  if (result.operations.size() > operations_shown) {
    text += fmt::format("  and {} more operations\n", result.operations.size() - operations_shown);
  }
  text += turns_lines(result);

  const auto busiest =
      std::max_element(result.links.begin(), result.links.end(),
                       [](const LinkResult& a, const LinkResult& b) { return a.busy < b.busy; });
  if (busiest != result.links.end() && busiest->busy > hw::Time()) {
    text += fmt::format("busiest link  {}: {:.1f} % used, {} bytes in {} packets\n", busiest->name,
                        100 * result.utilization(*busiest),
                        busiest->traffic.bytes + busiest->traffic.control_bytes,
                        busiest->traffic.packets + busiest->traffic.control_packets);
  }
  const auto starved =
      std::max_element(result.links.begin(), result.links.end(),
                       [](const LinkResult& a, const LinkResult& b) { return a.no_credit < b.no_credit; });
  if (starved != result.links.end() && hw::TimeSum() < starved->no_credit) {
    text += fmt::format("short of credit  {}: its packets waited {} for room at the receiver\n",
                        starved->name, in_nanoseconds(starved->no_credit));
  }
  const auto fullest = std::max_element(
      result.buffers.begin(), result.buffers.end(),
      [](const BufferResult& a, const BufferResult& b) { return a.occupancy.peak < b.occupancy.peak; });
  if (fullest != result.buffers.end() && fullest->occupancy.peak > 0) {
    text += fmt::format("fullest buffer  {}: peak {} of {}, mean {:.0f} B, full for {}\n", fullest->name,
                        hw::bytes_to_string(static_cast<std::uint64_t>(fullest->occupancy.peak)),
                        hw::to_string(fullest->capacity), fullest->occupancy.mean,
                        in_nanoseconds(fullest->occupancy.full));
  }
  return text + route_set_line(result) + fault_lines(result) + switch_lines(result);
}

}  // namespace fredsim::tb
