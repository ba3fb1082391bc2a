#include "fpga_agg/schedule/memory_law.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace fredsim::agg {
namespace {

constexpr double ns_per_s = 1e9;

double skew_ns(const std::vector<double>& arrivals_ns) {
  if (arrivals_ns.empty()) return 0;
  const auto [first, last] = std::minmax_element(arrivals_ns.begin(), arrivals_ns.end());
  return *last - *first;
}

/// How long before the last stream each begins, in seconds, longest first.
std::vector<double> leads_s(const std::vector<double>& arrivals_ns) {
  std::vector<double> leads;
  if (arrivals_ns.empty()) return leads;
  const double last = *std::max_element(arrivals_ns.begin(), arrivals_ns.end());
  for (const double arrival : arrivals_ns) leads.push_back((last - arrival) / ns_per_s);
  std::sort(leads.begin(), leads.end(), std::greater<>());
  return leads;
}

/// Inverts the law of buffer_per_source: with the longest k leads capped at G it is k G + rate * (the other
/// leads), so the memory is looked for piece by piece.
double buffered_rate(const std::vector<double>& arrivals_ns, double memory, double update) {
  const std::vector<double> leads = leads_s(arrivals_ns);
  for (std::size_t capped = 0; capped < leads.size(); ++capped) {
    double rest = 0;
    for (std::size_t i = capped; i < leads.size(); ++i) rest += leads[i];
    if (rest <= 0) break;  // these need nothing at any rate
    const double rate = (memory - static_cast<double>(capped) * update) / rest;
    if (rate * leads[capped] < update) return std::max(rate, 0.0);
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

double memory_needed(Organization organization, const std::vector<double>& arrivals_ns, double rate,
                     const UpdateSize& update) {
  if (organization == Organization::accumulate_on_arrival) {
    return update.expansion * std::min(update.bytes, rate * skew_ns(arrivals_ns) / ns_per_s);
  }
  double bytes = 0;
  for (const double lead : leads_s(arrivals_ns)) bytes += std::min(update.bytes, rate * lead);
  return bytes;
}

double rate_within(Organization organization, const std::vector<double>& arrivals_ns, double memory,
                   const UpdateSize& update) {
  if (organization == Organization::buffer_per_source) {
    return buffered_rate(arrivals_ns, memory, update.bytes);
  }
  const double skew = skew_ns(arrivals_ns) / ns_per_s;
  if (skew <= 0 || memory >= update.expansion * update.bytes) return std::numeric_limits<double>::infinity();
  return memory / (update.expansion * skew);
}

double self_clocked_rate(double rate, double memory, double expansion, double round_trip_ns) {
  if (round_trip_ns <= 0) return rate;
  return std::min(rate, memory * ns_per_s / (expansion * round_trip_ns));
}

}  // namespace fredsim::agg
