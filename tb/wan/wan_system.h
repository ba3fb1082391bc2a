#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "fpga_agg/aggregator/aggregator.h"
#include "fpga_agg/wan/wan_router.h"
#include "fpga_agg/wan/wan_site.h"
#include "hw/link/link.h"
#include "tb/configuration/configuration.h"
#include "tb/wan/wafer.h"
#include "tb/wan/wan_plan.h"

namespace fredsim::tb {

/// The modules of a WAN: a router at every node, links between them, and at every site an aggregator and the
/// site itself. It also leads the sites through the rounds: a clique begins when all its members are ready,
/// that is, done with the round before and with their computation. That costs no packets, as clocks do. Sites
/// that are wafers add up on the wafer before the first round, and have the sum everywhere after the last.
class WanSystem : public sc_core::sc_module {
 public:
  /// One clique in one round, as it went.
  struct CliqueRun {
    bool begun = false;
    hw::Time begin;
    hw::Time end;            ///< when the last member was done
    std::uint32_t open = 0;  ///< members that are not
  };

  /// `data`: of the wafers, if there are any.
  WanSystem(sc_core::sc_module_name name, const Configuration& configuration, const WanPlan& plan,
            hw::Context& context, bool data);

  /// Before the simulation starts: computation of the first round begins at 0.
  void start();

  const std::vector<std::unique_ptr<agg::WanRouter>>& routers() const { return routers_; }
  const std::vector<std::unique_ptr<agg::WanSite>>& sites() const { return sites_; }
  /// Empty where nothing is aggregated.
  const std::vector<std::unique_ptr<agg::Aggregator>>& aggregators() const { return aggregators_; }
  /// Empty where a site is one accelerator.
  const std::vector<std::unique_ptr<Wafer>>& wafers() const { return wafers_; }
  /// By link of the topology.
  const std::vector<std::unique_ptr<hw::Link>>& links() const { return links_; }
  /// By round and clique, as in the plan.
  const std::vector<std::vector<CliqueRun>>& runs() const { return runs_; }
  bool all_done() const { return open_ == 0; }
  /// When the last that has ended did.
  hw::Time last_end() const { return last_end_; }
  /// What a site's cliques have taken, as far as latencies and lines explain it, and what the aggregators'
  /// memory and data path (and jitter, loss and shared links) have added.
  struct Exchange {
    hw::Time wan;
    hw::Time aggregator;
  };
  Exchange exchange(std::uint32_t site) const;
  /// By site, all rounds begun so far.
  hw::Time computed(std::uint32_t site) const { return computed_[site]; }
  /// Told when a site has the result of a round.
  std::function<void(std::uint32_t site, std::uint32_t round)> site_done;

 private:
  void make_routers(const Configuration& configuration, hw::Context& context);
  void make_sites(const Configuration& configuration, hw::Context& context);
  void make_wafers(const Configuration& configuration, bool data);
  void set_routes();
  void open_rounds(const Configuration& configuration);
  void ready(std::uint32_t site, std::uint32_t round, hw::Time at);
  void begin(std::uint32_t round, std::size_t clique);
  void done(std::uint32_t site, std::uint32_t round, hw::Time at);
  void ended(hw::Time at);
  std::size_t clique_of(std::uint32_t site, std::uint32_t round) const { return clique_of_[round][site]; }

  const WanPlan& plan_;
  bool multicast_;
  agg::WanFlows flows_;
  std::vector<std::unique_ptr<agg::WanRouter>> routers_;
  std::vector<std::unique_ptr<hw::Link>> links_;
  std::vector<std::unique_ptr<agg::WanSite>> sites_;
  std::vector<std::unique_ptr<agg::Aggregator>> aggregators_;
  std::vector<std::unique_ptr<Wafer>> wafers_;
  std::vector<std::uint32_t> line_of_;  ///< by link: its number among its router's lines out
  std::vector<std::vector<CliqueRun>> runs_;
  std::vector<std::vector<std::size_t>> clique_of_;
  std::vector<std::vector<hw::Time>> ready_at_;        ///< by round and clique: the latest member
  std::vector<std::vector<std::uint32_t>> not_ready_;  ///< by round and clique: members
  std::vector<hw::Time> computed_;
  hw::Time last_end_;
  std::uint64_t open_ = 0;  ///< site and round pairs, and wafers, that are not done
};

}  // namespace fredsim::tb
