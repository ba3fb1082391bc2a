#include "fpga_agg/schedule/partitions.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fredsim::agg {
namespace {

unsigned count(std::uint64_t set) {
  return static_cast<unsigned>(__builtin_popcountll(set));
}

/// Sites are put into cliques in their order: each into one that has room, or into a new one.
void put(std::uint32_t site, std::uint32_t sites, std::uint32_t size, Round& round, std::vector<Round>& all) {
  if (site == sites) {
    all.push_back(round);
    return;
  }
  for (std::size_t c = 0; c < round.size(); ++c) {
    if (round[c].size() == size) continue;
    round[c].push_back(site);
    put(site + 1, sites, size, round, all);
    round[c].pop_back();
  }
  if (round.size() * size < sites) {
    round.push_back({site});
    put(site + 1, sites, size, round, all);
    round.pop_back();
  }
}

std::vector<std::uint64_t> bits_of(const Round& round) {
  std::vector<std::uint64_t> sets;
  for (const Clique& clique : round) sets.push_back(bits(clique));
  return sets;
}

/// Depth-first search for the cheapest set of rounds that share no pair.
class PairSearch {
 public:
  PairSearch(const std::vector<Round>& pool, const std::vector<double>& cost, std::size_t rounds)
      : cost_(cost), rounds_(rounds) {
    for (const Round& round : pool) sets_.push_back(bits_of(round));
    order_.resize(pool.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return cost[a] < cost[b]; });
  }

  std::vector<std::size_t> run() {
    extend(0, order_, 0.0);
    return best_;
  }

 private:
  bool apart(std::size_t a, std::size_t b) const {
    for (const std::uint64_t s : sets_[a]) {
      for (const std::uint64_t t : sets_[b]) {
        if (count(s & t) > 1) return false;
      }
    }
    return true;
  }

  void extend(std::size_t chosen, const std::vector<std::size_t>& allowed, double cost) {
    if (chosen == rounds_) {
      best_cost_ = cost;
      best_ = path_;
      return;
    }
    for (std::size_t i = 0; i < allowed.size(); ++i) {
      const std::size_t left = rounds_ - chosen;
      // What follows costs at least as much: the order ascends.
      if (cost + cost_[allowed[i]] * static_cast<double>(left) >= best_cost_) return;
      if (allowed.size() - i < left) return;
      std::vector<std::size_t> next;
      for (std::size_t j = i + 1; j < allowed.size(); ++j) {
        if (apart(allowed[i], allowed[j])) next.push_back(allowed[j]);
      }
      path_.push_back(allowed[i]);
      extend(chosen + 1, next, cost + cost_[allowed[i]]);
      path_.pop_back();
    }
  }

  const std::vector<double>& cost_;
  std::size_t rounds_;
  std::vector<std::vector<std::uint64_t>> sets_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> path_;
  std::vector<std::size_t> best_;
  double best_cost_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::vector<Round> equal_partitions(std::uint32_t sites, std::uint32_t size) {
  std::vector<Round> all;
  Round round;
  if (size > 0 && sites % size == 0) put(0, sites, size, round, all);
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Round> composite_partitions(std::uint32_t sites) {
  std::vector<Round> all;
  std::vector<std::uint32_t> clique_of(sites, 0);  // restricted growth strings
  const auto visit = [&](auto&& self, std::uint32_t site, std::uint32_t cliques) -> void {
    if (site == sites) {
      Round round(cliques);
      for (std::uint32_t s = 0; s < sites; ++s) round[clique_of[s]].push_back(s);
      std::size_t divisor = 0;
      for (const Clique& clique : round) divisor = std::gcd(divisor, clique.size());
      if (cliques > 1 && divisor > 1) all.push_back(std::move(round));
      return;
    }
    for (std::uint32_t c = 0; c <= cliques; ++c) {
      clique_of[site] = c;
      self(self, site + 1, std::max(cliques, c + 1));
    }
  };
  visit(visit, 0, 0);
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::uint64_t> joined(const std::vector<std::uint64_t>& groups, const Round& next) {
  std::vector<std::uint64_t> result = groups;
  const std::vector<std::uint64_t> cliques = bits_of(next);
  for (const std::uint64_t clique : cliques) {
    std::uint64_t together = clique;
    for (const std::uint64_t group : result) {
      if ((group & clique) != 0) together |= group;
    }
    result.erase(std::remove_if(result.begin(), result.end(),
                                [&](std::uint64_t group) { return (group & clique) != 0; }),
                 result.end());
    result.push_back(together);
  }
  for (const std::uint64_t whole : result) {
    for (const std::uint64_t clique : cliques) {
      if ((clique & whole) == 0) continue;
      for (const std::uint64_t group : groups) {
        if ((group & whole) == 0) continue;
        if (count(clique & group) * count(whole) != count(clique) * count(group)) return {};
      }
    }
  }
  std::sort(result.begin(), result.end(),
            [](std::uint64_t a, std::uint64_t b) { return (a & -a) < (b & -b); });
  return result;
}

std::vector<std::size_t> every_pair_once(const std::vector<Round>& pool, const std::vector<double>& cost,
                                         std::uint32_t sites, std::uint32_t size) {
  if (size < 2 || (sites - 1) % (size - 1) != 0) return {};
  return PairSearch(pool, cost, (sites - 1) / (size - 1)).run();
}

}  // namespace fredsim::agg
