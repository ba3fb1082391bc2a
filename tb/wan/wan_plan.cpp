#include "tb/wan/wan_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fpga_agg/schedule/pace.h"
#include "fpga_agg/schedule/schedule_file.h"
#include "hw/core/error.h"

namespace fredsim::tb {
namespace {

/// "file:3:5: key: " of a key that the user gave, else the file.
std::string place_of(const Configuration& c, const std::string& key) {
  const auto given = c.given.find(key);
  return fmt::format("{}: {}: ", given == c.given.end() ? c.source : given->second.place, key);
}

agg::Conditions conditions_of(const Configuration& c, const WanPlan& plan, std::uint64_t slot) {
  agg::Conditions conditions;
  const auto wire = static_cast<double>(plan.packets) * static_cast<double>(c.packet.header) +
                    static_cast<double>(plan.elements * hw::size_of(c.data.dtype));
  conditions.update = {wire, static_cast<double>(slot) / static_cast<double>(c.packet.bytes)};
  conditions.organization = c.aggregator.organization;
  conditions.contention = c.wan.contention;
  conditions.start = c.wan.start;
  conditions.copies = {c.wan.multicast(), c.wan.aggregate()};
  if (!c.aggregator.memory().is_unlimited()) {
    conditions.memory = static_cast<double>(c.aggregator.memory().bytes());
  }
  return conditions;
}

void cut_update(const Configuration& c, WanPlan& plan) {
  const std::uint64_t element = hw::size_of(c.data.dtype);
  plan.elements = (c.wan.update + element - 1) / element;
  plan.packet_elements = static_cast<std::uint32_t>(c.packet.payload() / element);
  plan.packets = (plan.elements + plan.packet_elements - 1) / plan.packet_elements;
  plan.last_elements = static_cast<std::uint32_t>(plan.elements - (plan.packets - 1) * plan.packet_elements);
}

/// What of the slot memory one packet takes.
std::uint64_t slot_bytes(const Configuration& c, const WanPlan& plan) {
  const std::uint64_t bytes = plan.packet_elements * hw::size_of(c.data.dtype);
  if (c.aggregator.organization == agg::Organization::buffer_per_source) return bytes;
  return static_cast<std::uint64_t>(static_cast<double>(bytes) *
                                    agg::expansion(c.aggregator.accumulator, c.data.dtype));
}

hw::Time at_rate(double bytes, double bytes_per_s) {
  const double fs = std::ceil(bytes / bytes_per_s * 1e15);
  if (fs > 9e18) throw hw::InputError(std::string(hw::time_out_of_range) + ": a site sends so slowly");
  return hw::Time::fs(static_cast<std::int64_t>(fs));
}

class Planner {
 public:
  Planner(const Configuration& c, WanPlan& plan)
      : c_(c),
        plan_(plan),
        slot_(slot_bytes(c, plan)),
        limited_(plan.topology, conditions_of(c, plan, slot_)),
        unlimited_(plan.topology, without_memory(limited_.conditions())) {}

  std::vector<CliquePlan> round(const agg::Round& round) {
    const agg::RoundTime time = limited_.time(round);
    const agg::RoundTime full = unlimited_.time(round);
    std::vector<CliquePlan> cliques;
    for (std::size_t i = 0; i < round.size(); ++i) {
      CliquePlan clique;
      clique.members = round[i];
      clique.starts = time.cliques[i].alignment.start;
      if (round[i].size() > 1) pace(clique, time.cliques[i], full.cliques[i]);
      cliques.push_back(std::move(clique));
    }
    return cliques;
  }

 private:
  static agg::Conditions without_memory(agg::Conditions conditions) {
    conditions.memory = std::numeric_limits<double>::infinity();
    return conditions;
  }

  void pace(CliquePlan& clique, const agg::CliqueTime& limited, const agg::CliqueTime& full) {
    const auto wire = static_cast<double>(c_.packet.bytes);
    const std::size_t sources = clique.members.size() - 1;
    const bool paced = c_.aggregator.policy == AggregatorPolicy::pace && c_.wan.aggregate();
    const agg::CliqueRate& rate = paced ? limited.rate : full.rate;
    // What the memory allows is counted in whole packets below.
    clique.interval = at_rate(wire, std::max(rate.bytes_per_s, full.rate.bytes_per_s));
    if (c_.wan.contention == agg::Contention::all_links) clique.interval = at_rate(wire, rate.bytes_per_s);
    clique.limit = full.rate.limit;
    if (paced) {
      lengthen(clique, at_data_path(sources), "data path");
      if (sources > 1 && !c_.aggregator.memory().is_unlimited()) {
        const agg::PacketMemory memory{c_.aggregator.memory().bytes(), slot_};
        // All of the update fits: nothing to plan for.
        const std::uint64_t most = c_.aggregator.organization == agg::Organization::buffer_per_source
                                       ? plan_.packets * (sources - 1)
                                       : plan_.packets;
        if (memory.bytes / slot_ < most) {
          lengthen(clique,
                   agg::paced_interval(c_.aggregator.organization, limited.alignment, c_.wan.jitter, memory),
                   "memory");
        }
      }
    }
    if (c_.aggregator.policy == AggregatorPolicy::backpressure && c_.wan.aggregate() && sources > 1) {
      clique.window = c_.aggregator.memory().is_unlimited()
                          ? 0
                          : std::max<std::uint64_t>(1, c_.aggregator.memory().bytes() / slot_of(sources));
      if (clique.window >= plan_.packets) clique.window = 0;
    }
    clique.unhindered_ns = full.alignment.last_arrival_ns +
                           wire / full.rate.bytes_per_s * 1e9 * static_cast<double>(plan_.packets);
    clique.expected_ns = limited.alignment.last_arrival_ns +
                         clique.interval.ns() * static_cast<double>(plan_.packets - 1) +
                         wire / rate.bytes_per_s * 1e9;
    const std::uint64_t kept =
        agg::packets_kept(c_.aggregator.organization, limited.alignment, hw::Time(), clique.interval);
    clique.expected_peak = sources > 1 ? std::min<std::uint64_t>(kept, plan_.packets * sources) * slot_ : 0;
  }

  static void lengthen(CliquePlan& clique, hw::Time interval, const char* by) {
    if (interval <= clique.interval) return;
    clique.interval = interval;
    clique.limit = by;
  }

  /// All of a packet number before its sum is complete.
  std::uint64_t slot_of(std::size_t sources) const {
    return c_.aggregator.organization == agg::Organization::buffer_per_source ? slot_ * (sources - 1) : slot_;
  }

  /// One packet of each source must get through in an interval.
  hw::Time at_data_path(std::size_t sources) const {
    double seconds = 0;
    if (c_.aggregator.data_path() > 0)
      seconds = static_cast<double>(c_.packet.bytes) / c_.aggregator.data_path();
    if (const double bandwidth = c_.aggregator.memory_bandwidth().bytes_per_second(); bandwidth > 0) {
      const double moved = 2.0 * static_cast<double>(slot_);
      seconds = std::max(seconds, moved / bandwidth);
    }
    return hw::Time::fs(static_cast<std::int64_t>(seconds * static_cast<double>(sources) * 1e15));
  }

  const Configuration& c_;
  WanPlan& plan_;
  std::uint64_t slot_;
  agg::Timer limited_;
  agg::Timer unlimited_;
};

void check_memory(const Configuration& c, const WanPlan& plan, const std::vector<agg::Round>& schedule) {
  std::size_t largest = 0;
  for (const agg::Round& round : schedule) {
    for (const agg::Clique& clique : round) largest = std::max(largest, clique.size());
  }
  if (largest < 3 || !c.wan.aggregate() || c.aggregator.memory().is_unlimited()) return;
  const std::uint64_t kept =
      c.aggregator.organization == agg::Organization::buffer_per_source ? largest - 2 : 1;
  const std::uint64_t least = slot_bytes(c, plan) * kept;
  if (c.aggregator.memory().bytes() >= least) return;
  throw hw::InputError(
      fmt::format("{}{} does not hold what one packet of {} sources needs; at least {} are needed",
                  place_of(c, "aggregator.memory"), to_string(c.aggregator.memory()), largest - 1,
                  hw::bytes_to_string(least)));
}

}  // namespace

agg::Topology wan_topology(const Configuration& c) {
  if (c.given.count("wan.topology") == 0) {
    throw hw::InputError(c.source + ": wan.topology: is missing; a topology of sites and links is needed");
  }
  agg::Topology topology = agg::load_topology(c.path_of("wan.topology", c.wan.topology));
  if (c.wan.bandwidth) topology = topology.with_bandwidth(*c.wan.bandwidth);
  if (c.wan.mode == WanMode::colocated) {
    for (agg::WanLink& link : topology.links) link.latency = hw::Time();
  }
  return topology;
}

WanPlan plan_wan(const Configuration& c, agg::Topology topology, const std::vector<agg::Round>& schedule) {
  WanPlan plan;
  plan.topology = std::move(topology);
  cut_update(c, plan);
  plan.slot_bytes = slot_bytes(c, plan);
  check_memory(c, plan, schedule);
  const agg::ShortestPaths paths(plan.topology);
  for (std::uint32_t from = 0; from < plan.topology.site_count; ++from) {
    for (std::uint32_t to = 0; to < plan.topology.site_count; ++to) {
      plan.longest_latency = std::max(plan.longest_latency, paths.latency(from, to));
    }
  }
  plan.compute.assign(plan.topology.site_count, c.wan.compute);
  if (c.wan.straggler != "none") {
    try {
      plan.compute[plan.topology.site(c.wan.straggler)] = c.wan.straggler_compute;
    } catch (const hw::InputError& error) {
      throw hw::InputError(place_of(c, "wan.straggler") + error.what());
    }
  }
  if (c.wan.wafer != "none") plan.wafer = plan_wafer(c.path_of("wan.wafer", c.wan.wafer), c, plan.elements);
  Planner planner(c, plan);
  for (std::uint64_t repeat = 0; repeat < c.wan.repeat; ++repeat) {
    for (const agg::Round& round : schedule) plan.rounds.push_back(planner.round(round));
  }
  return plan;
}

WanPlan plan_wan(const Configuration& c, const std::string& schedule_path) {
  agg::Topology topology = wan_topology(c);
  agg::ScheduleFile file = agg::load_schedule(schedule_path, topology);
  return plan_wan(c, std::move(topology), file.schedules[file.best]);
}

}  // namespace fredsim::tb
