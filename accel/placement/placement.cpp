#include "accel/placement/placement.h"

#include <algorithm>
#include <numeric>

#include "hw/core/error.h"
#include "hw/core/random.h"

namespace fredsim::accel {
namespace {

std::uint32_t size_of(const Strategy& strategy, std::string_view dimension) {
  return dimension == "mp" ? strategy.mp : dimension == "pp" ? strategy.pp : strategy.dp;
}

/// Exchanges two places, of workers or free ones, as long as that makes the placement cheaper. Places behind
/// the workers are NPUs without one.
double descend(Placement& places, std::uint32_t workers,
               const std::function<double(const Placement&)>& cost) {
  const auto cost_of = [&] { return cost(Placement(places.begin(), places.begin() + workers)); };
  double best = cost_of();
  for (;;) {
    std::pair<std::size_t, std::size_t> exchange{0, 0};
    double cheapest = best;
    for (std::size_t a = 0; a < workers; ++a) {
      for (std::size_t b = a + 1; b < places.size(); ++b) {
        std::swap(places[a], places[b]);
        const double now = cost_of();
        std::swap(places[a], places[b]);
        if (now < cheapest) cheapest = now, exchange = {a, b};
      }
    }
    if (cheapest >= best) return best;
    std::swap(places[exchange.first], places[exchange.second]);
    best = cheapest;
  }
}

}  // namespace

const std::vector<std::string>& placement_orders() {
  static const std::vector<std::string> orders = {"mp-pp-dp", "mp-dp-pp", "pp-mp-dp",
                                                  "pp-dp-mp", "dp-mp-pp", "dp-pp-mp"};
  return orders;
}

Placement place_in_order(const Strategy& strategy, std::string_view order) {
  const std::vector<std::string>& known = placement_orders();
  if (std::find(known.begin(), known.end(), order) == known.end())
    throw hw::InternalError("there is no such order of placement");
  const auto stride = [&](std::string_view dimension) {
    std::uint32_t product = 1;
    for (std::size_t at = 0; order.substr(at, 2) != dimension; at += 3)
      product *= size_of(strategy, order.substr(at, 2));
    return product;
  };
  const std::uint32_t m_stride = stride("mp"), p_stride = stride("pp"), d_stride = stride("dp");
  Placement placement;
  for (std::uint32_t d = 0; d < strategy.dp; ++d) {
    for (std::uint32_t p = 0; p < strategy.pp; ++p) {
      for (std::uint32_t m = 0; m < strategy.mp; ++m)
        placement.push_back(m * m_stride + p * p_stride + d * d_stride);
    }
  }
  return placement;
}

std::vector<std::vector<std::vector<std::uint32_t>>> groups_of(const Strategy& strategy,
                                                               const Placement& placement) {
  const std::uint32_t sizes[] = {strategy.mp, strategy.pp, strategy.dp};
  const std::uint32_t strides[] = {1, strategy.mp, strategy.mp * strategy.pp};
  std::vector<std::vector<std::vector<std::uint32_t>>> classes(3);
  for (std::size_t c = 0; c < 3; ++c) {
    if (sizes[c] == 1) continue;
    for (std::uint32_t first = 0; first < strategy.workers(); ++first) {
      if (first / strides[c] % sizes[c] != 0) continue;
      std::vector<std::uint32_t>& group = classes[c].emplace_back();
      for (std::uint32_t i = 0; i < sizes[c]; ++i) group.push_back(placement.at(first + i * strides[c]));
    }
  }
  return classes;
}

Placement search_placement(const Strategy& strategy, std::uint32_t npus,
                           const std::function<double(const Placement&)>& cost, std::uint64_t seed,
                           std::uint32_t restarts) {
  const std::uint32_t workers = strategy.workers();
  if (workers > npus) throw hw::InternalError("more workers than NPUs are to be placed");
  std::vector<Placement> starts;
  for (const std::string& order : placement_orders()) {
    Placement places = place_in_order(strategy, order);
    for (std::uint32_t n = workers; n < npus; ++n) places.push_back(n);
    starts.push_back(std::move(places));
  }
  hw::Random random(seed);
  for (std::uint32_t r = 0; r < restarts; ++r) {
    Placement places(npus);
    std::iota(places.begin(), places.end(), 0u);
    for (std::size_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[random.below(i)]);
    starts.push_back(std::move(places));
  }
  Placement best;
  double least = 0;
  for (Placement& places : starts) {
    const double found = descend(places, workers, cost);
    if (!best.empty() && found >= least) continue;
    least = found;
    best.assign(places.begin(), places.begin() + workers);
  }
  return best;
}

}  // namespace fredsim::accel
