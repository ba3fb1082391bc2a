#include "fpga_agg/schedule/pace.h"

#include <algorithm>
#include <cmath>

#include "hw/core/error.h"

namespace fredsim::agg {
namespace {

/// How far, in fs, each stream is ahead of the last one at the worst; the last one itself is left out.
std::vector<std::int64_t> leads(const std::vector<double>& arrivals_ns, hw::Time jitter) {
  std::vector<std::int64_t> result;
  if (arrivals_ns.size() < 2) return result;
  const auto last = std::max_element(arrivals_ns.begin(), arrivals_ns.end());
  for (auto arrival = arrivals_ns.begin(); arrival != arrivals_ns.end(); ++arrival) {
    if (arrival != last) result.push_back(std::llround((*last - *arrival) * 1e6) + jitter.fs());
  }
  return result;
}

std::uint64_t kept_at(Organization organization, const std::vector<std::int64_t>& ahead,
                      std::int64_t interval) {
  std::uint64_t packets = 0;
  for (const std::int64_t lead : ahead) {
    const auto of_this = static_cast<std::uint64_t>(lead / interval) + 1;
    packets =
        organization == Organization::buffer_per_source ? packets + of_this : std::max(packets, of_this);
  }
  return packets;
}

}  // namespace

std::uint64_t packets_kept(Organization organization, const Alignment& alignment, hw::Time jitter,
                           hw::Time interval) {
  std::uint64_t most = 0;
  for (const std::vector<double>& arrivals : alignment.arrivals_ns) {
    most = std::max(most, kept_at(organization, leads(arrivals, jitter), interval.fs()));
  }
  return most;
}

hw::Time paced_interval(Organization organization, const Alignment& alignment, hw::Time jitter,
                        const PacketMemory& memory) {
  std::int64_t longest = 0;
  for (const std::vector<double>& arrivals : alignment.arrivals_ns) {
    const std::vector<std::int64_t> ahead = leads(arrivals, jitter);
    if (ahead.empty()) continue;
    const std::uint64_t room = memory.bytes / std::max<std::uint64_t>(1, memory.packet_bytes);
    // Above every lead one packet of each is kept.
    std::int64_t enough = *std::max_element(ahead.begin(), ahead.end()) + 1;
    if (kept_at(organization, ahead, enough) > room) {
      throw hw::InternalError("an aggregator whose memory does not hold one packet of its sources");
    }
    std::int64_t too_short = 0;
    while (enough - too_short > 1) {
      const std::int64_t middle = too_short + (enough - too_short) / 2;
      (kept_at(organization, ahead, middle) > room ? too_short : enough) = middle;
    }
    // An interval of 1 fs is that of no packets: nothing bounds it.
    if (enough > 1) longest = std::max(longest, enough);
  }
  return hw::Time::fs(longest);
}

}  // namespace fredsim::agg
