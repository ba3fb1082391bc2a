#include "tb/cli/schedule_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace fredsim::tb {
namespace {

std::string seconds(double ns) {
  return fmt::format("{:.4g} s", ns * 1e-9);
}

std::string megabytes(double bytes) {
  return fmt::format("{:.1f} MB", bytes * 1e-6);
}

std::string memory_text(double bytes) {
  return std::isinf(bytes) ? "unlimited memory" : megabytes(bytes) + " of memory";
}

/// "3+3+3, 3+3+3": the sizes of the cliques, round by round.
std::string kind(const agg::Candidate& candidate) {
  std::vector<std::string> rounds;
  for (const agg::Round& round : candidate.rounds) {
    rounds.push_back(fmt::format("{}", fmt::join(agg::sizes(round), "+")));
  }
  return fmt::format("{}", fmt::join(rounds, ", "));
}

std::string members(const agg::Clique& clique, const agg::Topology& topology) {
  std::vector<std::string> names;
  for (const std::uint32_t site : clique) names.push_back(topology.nodes[site]);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string clique_text(const agg::Clique& clique, const agg::CliqueTime& time,
                        const agg::Topology& topology) {
  if (clique.size() < 2) return fmt::format("    {} waits\n", topology.nodes[clique.front()]);
  std::vector<std::string> starts;
  for (const hw::Time start : time.alignment.start)
    starts.push_back(fmt::format("{:.2f}", start.ns() * 1e-6));
  return fmt::format("    {}: {}, {:.4g} Gb/s by {}, start after {} ms\n", members(clique, topology),
                     seconds(time.ns), time.rate.bytes_per_s * 8e-9, time.rate.limit, fmt::join(starts, " "));
}

std::string crossover_text(const ScheduleReport& report) {
  if (report.candidates.size() < 2) return "";
  if (!report.crossover_bytes) return "crossover: none; the same schedule is the fastest with any memory\n";
  return fmt::format(
      "crossover: {} per aggregator; from there on the schedule that is the fastest with "
      "unlimited memory wins\n",
      megabytes(*report.crossover_bytes));
}

}  // namespace

std::string to_text(const ScheduleReport& report, agg::Timer& timer) {
  const agg::Topology& topology = timer.topology();
  const agg::Conditions& conditions = timer.conditions();
  std::string text = fmt::format(
      "{} sites, {} per site and round, {} per aggregator, {}, {}\n", topology.site_count,
      megabytes(conditions.update.bytes), memory_text(conditions.memory),
      conditions.contention == agg::Contention::all_links ? "streams share links" : "access lines limit",
      conditions.start == agg::Start::arrival_aligned ? "arrivals aligned" : "simultaneous starts");
  text += fmt::format("{:>4} {:>10} {:>8} {:>12} {:>14}  {}\n", "", "total", "sigma", "-ln(sigma)/s",
                      "memory needed", "sites per clique, round by round");
  for (std::size_t i = 0; i < report.candidates.size(); ++i) {
    const agg::Candidate& c = report.candidates[i];
    text += fmt::format("{:>4} {:>10} {:>8.4g} {:>12} {:>14}  {}\n", i == report.best ? "best" : "",
                        seconds(c.total_ns), c.sigma,
                        c.exact ? "exact" : fmt::format("{:.4g}", agg::contraction_per_second(c)),
                        megabytes(c.memory_needed), kind(c));
  }
  text += crossover_text(report);
  const agg::Candidate& best = report.candidates[report.best];
  for (std::size_t r = 0; r < best.rounds.size(); ++r) {
    const agg::RoundTime time = timer.time(best.rounds[r]);
    text += fmt::format("round {}: {}\n", r + 1, seconds(time.ns));
    for (std::size_t c = 0; c < best.rounds[r].size(); ++c) {
      text += clique_text(best.rounds[r][c], time.cliques[c], topology);
    }
  }
  return text;
}

}  // namespace fredsim::tb
