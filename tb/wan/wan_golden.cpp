#include "tb/wan/wan_golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hw/core/error.h"
#include "hw/core/pattern.h"
#include "hw/core/reduce.h"

namespace fredsim::tb {
namespace {

/// The magnitude up to which a format holds every integer.
std::uint64_t exact_range(hw::DType dtype) {
  switch (dtype) {
    case hw::DType::fp16:
      return 1u << 11;
    case hw::DType::bf16:
      return 1u << 8;
    case hw::DType::fp32:
      return 1u << 24;
    case hw::DType::int32:
      return 1u << 31;
  }
  throw hw::InternalError("unknown dtype");
}

std::vector<std::byte> sum_of_others(const Configuration& c, const CliquePlan& clique, std::uint32_t site,
                                     const std::vector<std::vector<std::byte>>& before) {
  const hw::DType dtype = c.data.dtype;
  const std::size_t count = before[site].size() / hw::size_of(dtype);
  const bool wide = c.aggregator.accumulator == agg::Accumulator::fp32 && dtype != hw::DType::int32;
  std::vector<std::byte> sum;
  std::vector<float> accumulator;
  for (const std::uint32_t other : clique.members) {
    if (other == site) continue;
    const std::vector<std::byte>& data = before[other];
    if (wide) {
      std::vector<float> widened(count);
      hw::widen_to_fp32(dtype, data.data(), widened.data(), count);
      if (accumulator.empty()) {
        accumulator = std::move(widened);
      } else {
        hw::reduce(hw::DType::fp32, hw::ReduceOp::sum, accumulator.data(), widened.data(), accumulator.data(),
                   count);
      }
    } else if (sum.empty()) {
      sum = data;
    } else {
      hw::reduce(dtype, hw::ReduceOp::sum, sum.data(), data.data(), sum.data(), count);
    }
  }
  if (wide) {
    sum.resize(before[site].size());
    hw::round_from_fp32(dtype, accumulator.data(), sum.data(), count);
  }
  return sum;
}

}  // namespace

std::uint64_t most_updates(const WanPlan& plan) {
  std::uint64_t most = 1;
  for (const std::vector<CliquePlan>& round : plan.rounds) {
    std::size_t largest = 1;
    for (const CliquePlan& clique : round) largest = std::max(largest, clique.members.size());
    most = std::min<std::uint64_t>(most * largest, std::uint64_t{1} << 40);
  }
  return most;
}

std::vector<std::vector<std::byte>> first_updates(const Configuration& c, const WanPlan& plan) {
  const std::uint64_t sums = most_updates(plan) * (plan.wafer ? plan.wafer->workload.npus : 1);
  if (c.data.pattern == hw::PatternKind::exact && sums > exact_range(c.data.dtype)) {
    throw hw::InputError(fmt::format(
        "{}: data.pattern exact: after all rounds values would be sums of {} updates, more than {} holds "
        "exactly; use another data.dtype, fewer rounds or --no-data",
        c.source, sums, hw::to_string(c.data.dtype)));
  }
  constexpr std::size_t piece = 8192;
  hw::DataPattern pattern(c.data.pattern, c.seed, piece);
  std::vector<std::vector<std::byte>> updates(plan.topology.site_count);
  const std::size_t element = hw::size_of(c.data.dtype);
  for (std::uint32_t site = 0; site < updates.size(); ++site) {
    updates[site].resize(plan.elements * element);
    for (std::uint64_t first = 0; first < plan.elements; first += piece) {
      const std::size_t count = std::min<std::uint64_t>(piece, plan.elements - first);
      std::memcpy(updates[site].data() + first * element,
                  pattern.elements(hw::OperationId(0), hw::NpuId(site), c.data.dtype,
                                   static_cast<std::uint32_t>(sums), first, count),
                  count * element);
    }
  }
  return updates;
}

std::vector<std::vector<std::byte>> after_round(const Configuration& c, const std::vector<CliquePlan>& round,
                                                const std::vector<std::vector<std::byte>>& before) {
  std::vector<std::vector<std::byte>> after = before;
  for (const CliquePlan& clique : round) {
    if (clique.members.size() < 2) continue;
    for (const std::uint32_t site : clique.members) {
      const std::vector<std::byte> others = sum_of_others(c, clique, site, before);
      hw::reduce(c.data.dtype, hw::ReduceOp::sum, after[site].data(), others.data(), after[site].data(),
                 others.size() / hw::size_of(c.data.dtype));
    }
  }
  return after;
}

}  // namespace fredsim::tb
