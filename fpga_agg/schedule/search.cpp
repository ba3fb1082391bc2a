#include "fpga_agg/schedule/search.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "fpga_agg/schedule/mixing.h"
#include "fpga_agg/schedule/partitions.h"

namespace fredsim::agg {
namespace {

/// The sizes of the cliques in each round, whatever the order of the rounds.
using Kind = std::vector<std::vector<std::size_t>>;

Kind kind_of(const std::vector<Round>& rounds) {
  Kind kind;
  for (const Round& round : rounds) kind.push_back(sizes(round));
  std::sort(kind.begin(), kind.end());
  return kind;
}

Round all_at_once(std::uint32_t sites) {
  Round round(1);
  for (std::uint32_t site = 0; site < sites; ++site) round.front().push_back(site);
  return round;
}

/// Looks at every sequence of up to three rounds.
class CompleteSearch {
 public:
  CompleteSearch(Timer& timer, Objective objective)
      : timer_(timer), objective_(objective), sites_(timer.topology().site_count) {}

  std::vector<Candidate> run() {
    pool_ = composite_partitions(sites_);
    for (const Round& round : pool_) {
      ns_.push_back(timer_.ns(round));
      kinds_.push_back(sizes(round));
    }
    std::vector<std::uint64_t> alone;
    for (std::uint32_t site = 0; site < sites_; ++site) alone.push_back(std::uint64_t{1} << site);
    extend(alone, 0.0);
    if (objective_ == Objective::contraction) pairs();
    std::vector<Candidate> result;
    for (const auto& [kind, best] : best_) result.push_back(assess(timer_, rounds_of(best.rounds)));
    add_every_pair_once(result);
    return result;
  }

 private:
  struct Best {
    double cost = 0;
    std::vector<std::size_t> rounds;
  };

  std::vector<Round> rounds_of(const std::vector<std::size_t>& indices) const {
    std::vector<Round> rounds;
    for (const std::size_t i : indices) rounds.push_back(pool_[i]);
    return rounds;
  }

  void record(double cost) {
    Kind kind;
    for (const std::size_t i : path_) kind.push_back(kinds_[i]);
    std::sort(kind.begin(), kind.end());
    const auto [found, added] = best_.try_emplace(kind);
    if (added || cost < found->second.cost) found->second = {cost, path_};
  }

  void extend(const std::vector<std::uint64_t>& groups, double ns) {
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      const std::vector<std::uint64_t> larger = joined(groups, pool_[i]);
      // A round whose own cliques are all that comes out made the earlier ones pointless.
      if (larger.empty() || larger == groups || (!path_.empty() && larger.size() == pool_[i].size()))
        continue;
      path_.push_back(i);
      if (larger.size() == 1) {
        record(ns + ns_[i]);
      } else if (path_.size() < 3) {
        extend(larger, ns + ns_[i]);
      }
      path_.pop_back();
    }
  }

  /// Every pair of rounds, exact or not, by contraction.
  void pairs() {
    best_.clear();
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      for (std::size_t j = i; j < pool_.size(); ++j) {
        path_ = {i, j};
        Candidate candidate;
        candidate.total_ns = ns_[i] + ns_[j];
        candidate.sigma = estimated_sigma({pool_[i], pool_[j]}, sites_);
        record(-contraction_per_second(candidate));
      }
    }
    path_.clear();
  }

  void add_every_pair_once(std::vector<Candidate>& result) const {
    for (std::uint32_t size = 2; size < sites_; ++size) {
      const std::vector<Round> pool = equal_partitions(sites_, size);
      if (pool.empty() || (sites_ - 1) % (size - 1) != 0) continue;
      std::vector<double> ns;
      for (const Round& round : pool) ns.push_back(timer_.ns(round));
      std::vector<Round> rounds;
      for (const std::size_t i : every_pair_once(pool, ns, sites_, size)) rounds.push_back(pool[i]);
      if (!rounds.empty()) result.push_back(assess(timer_, rounds));
    }
  }

  Timer& timer_;
  Objective objective_;
  std::uint32_t sites_;
  std::vector<Round> pool_;
  std::vector<double> ns_;
  std::vector<std::vector<std::size_t>> kinds_;
  std::vector<std::size_t> path_;
  std::map<Kind, Best> best_;
};

}  // namespace

std::vector<Candidate> search(Timer& timer, Objective objective) {
  const std::uint32_t sites = timer.topology().site_count;
  std::vector<Candidate> result =
      sites <= complete_search_sites ? CompleteSearch(timer, objective).run() : search_grids(timer);
  result.push_back(assess(timer, {all_at_once(sites)}));
  if (objective == Objective::contraction) {
    rank(result, objective);
    // From the best so far, cut or filled up to the number of rounds.
    const std::vector<Round> best = result.front().rounds;
    for (std::size_t count = 1; count <= 4; ++count) {
      std::vector<Round> start;
      for (std::size_t i = 0; i < count; ++i) start.push_back(best[i % best.size()]);
      result.push_back(improve_contraction(timer, std::move(start)));
    }
  }
  rank(result, objective);
  // The first of each kind is its best.
  std::vector<Kind> seen;
  result.erase(std::remove_if(result.begin(), result.end(),
                              [&](const Candidate& candidate) {
                                const Kind kind = kind_of(candidate.rounds);
                                if (std::find(seen.begin(), seen.end(), kind) != seen.end()) return true;
                                seen.push_back(kind);
                                return false;
                              }),
               result.end());
  return result;
}

}  // namespace fredsim::agg
