#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "fpga_agg/schedule/mixing.h"
#include "fpga_agg/schedule/search.h"

namespace fredsim::agg {
namespace {

/// The same numbers on every machine, which the standard's distributions do not promise.
class Dice {
 public:
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(generator_() % n); }
  double fraction() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 generator_{1};
};

/// Simulated annealing, from a temperature at which a step of some percent passes down to one at which none
/// does: `cost` falls, `propose` changes the state, `keep` or `undo` follow.
template <class State, class Cost, class Propose>
State anneal(State state, Cost cost, Propose propose, int steps) {
  Dice dice;
  double now = cost(state);
  State best = state;
  double least = now;
  const double first = 0.03 * std::abs(now);
  for (int step = 0; step < steps; ++step) {
    State next = state;
    propose(next, dice);
    const double then = cost(next);
    const double temperature = first * std::pow(1e-4, static_cast<double>(step) / steps);
    if (then > now && dice.fraction() >= std::exp((now - then) / temperature)) continue;
    state = std::move(next);
    now = then;
    if (now < least) {
      least = now;
      best = state;
    }
  }
  return best;
}

/// Every way to write `number` as a product of factors above 1 in ascending order, but for the number itself.
void factorizations(std::uint32_t number, std::uint32_t least, std::vector<std::uint32_t>& factors,
                    std::vector<std::vector<std::uint32_t>>& all) {
  for (std::uint32_t factor = least; factor * factor <= number; ++factor) {
    if (number % factor != 0) continue;
    factors.push_back(factor);
    factors.push_back(number / factor);
    all.push_back(factors);
    factors.pop_back();
    factorizations(number / factor, factor, factors, all);
    factors.pop_back();
  }
}

/// Sites on a grid: place p holds site order[p]; its coordinates are p's digits in the mixed base `factors`.
std::vector<Round> lines(const std::vector<std::uint32_t>& order, const std::vector<std::uint32_t>& factors) {
  const auto sites = static_cast<std::uint32_t>(order.size());
  std::vector<Round> rounds;
  std::uint32_t stride = 1;
  for (const std::uint32_t factor : factors) {
    Round round;
    for (std::uint32_t place = 0; place < sites; ++place) {
      if (place / stride % factor != 0) continue;  // lines start where this coordinate is 0
      Clique clique;
      for (std::uint32_t i = 0; i < factor; ++i) clique.push_back(order[place + i * stride]);
      round.push_back(clique);
    }
    rounds.push_back(normalized(std::move(round), sites));
    stride *= factor;
  }
  return rounds;
}

/// The sites so that near ones follow each other: from the first always to the nearest one left.
std::vector<std::uint32_t> near_order(const Timer& timer) {
  const std::uint32_t sites = timer.topology().site_count;
  std::vector<std::uint32_t> left(sites);
  std::iota(left.begin(), left.end(), 0u);
  std::vector<std::uint32_t> order;
  while (!left.empty()) {
    auto next = left.begin();
    if (!order.empty()) {
      next = std::min_element(left.begin(), left.end(), [&](std::uint32_t a, std::uint32_t b) {
        return timer.paths().latency(order.back(), a) < timer.paths().latency(order.back(), b);
      });
    }
    order.push_back(*next);
    left.erase(next);
  }
  return order;
}

/// Moves a site to another clique or to one of its own, or exchanges two sites.
void change(std::vector<Round>& rounds, Dice& dice) {
  Round& round = rounds[dice.below(rounds.size())];
  const std::size_t from = dice.below(round.size());
  const std::size_t at = dice.below(round[from].size());
  const std::size_t to = dice.below(round.size() + 1);
  if (to == from) return;
  const std::uint32_t site = round[from][at];
  if (to < round.size() && dice.below(2) == 0) {
    const std::size_t other = dice.below(round[to].size());
    round[from][at] = round[to][other];
    round[to][other] = site;
  } else {
    if (to == round.size()) round.emplace_back();
    round[to].push_back(site);
    round[from].erase(round[from].begin() + static_cast<std::ptrdiff_t>(at));
  }
  const auto sites = static_cast<std::uint32_t>(
      std::accumulate(round.begin(), round.end(), std::size_t{0},
                      [](std::size_t sum, const Clique& clique) { return sum + clique.size(); }));
  round = normalized(std::move(round), sites);
}

/// Steps that take about as long for any number of sites.
int steps_for(std::uint32_t sites) {
  return std::max(1500, 40'000 / static_cast<int>(sites));
}

}  // namespace

std::vector<Candidate> search_grids(Timer& timer) {
  const std::uint32_t sites = timer.topology().site_count;
  std::vector<std::vector<std::uint32_t>> all;
  std::vector<std::uint32_t> factors;
  factorizations(sites, 2, factors, all);
  std::vector<Candidate> result;
  for (const std::vector<std::uint32_t>& grid : all) {
    const auto cost = [&](const std::vector<std::uint32_t>& order) {
      double ns = 0;
      for (const Round& round : lines(order, grid)) ns += timer.ns(round);
      return ns;
    };
    const auto exchange = [](std::vector<std::uint32_t>& order, Dice& dice) {
      std::swap(order[dice.below(order.size())], order[dice.below(order.size())]);
    };
    result.push_back(assess(timer, lines(anneal(near_order(timer), cost, exchange, steps_for(sites)), grid)));
  }
  return result;
}

Candidate improve_contraction(Timer& timer, std::vector<Round> start) {
  const std::uint32_t sites = timer.topology().site_count;
  const auto cost = [&](const std::vector<Round>& rounds) {
    Candidate candidate;
    for (const Round& round : rounds) candidate.total_ns += timer.ns(round);
    candidate.sigma = estimated_sigma(rounds, sites);
    return -contraction_per_second(candidate);
  };
  return assess(timer, anneal(std::move(start), cost, change, steps_for(sites)));
}

}  // namespace fredsim::agg
