#include <string>
#include <vector>

#include "tb/configuration/declaration.h"
#include "tb/configuration/parameter_groups.h"
#include "tb/configuration/special_value.h"

namespace fredsim::tb {

template <>
const std::vector<std::string>& names_of<agg::Contention>() {
  static const std::vector<std::string> names{"access_only", "all_links"};
  return names;
}
template <>
const std::vector<std::string>& names_of<agg::Start>() {
  static const std::vector<std::string> names{"arrival_aligned", "simultaneous"};
  return names;
}
template <>
const std::vector<std::string>& names_of<WanMode>() {
  static const std::vector<std::string> names{"both", "multicast", "aggregation", "unicast", "colocated"};
  return names;
}

namespace {

struct OwnBandwidthText {
  static constexpr ValueType type = ValueType::bandwidth;
  static std::optional<hw::Bandwidth> parse(const std::string& text) {
    return parse_or("own", text, hw::parse_bandwidth);
  }
  static std::string print(std::optional<hw::Bandwidth> b) { return b ? hw::to_string(*b) : "own"; }
};

void add_network(ParameterList& list) {
  const auto add = [&](auto declaration) { list.push_back(declaration.only_in(SystemKind::wan)); };
  add(file(
          "wan.topology", [](auto& c) -> auto& { return c.wan.topology; })
          .defaults_to("none")
          .requires_that("a file, YAML or CSV; inside a configuration relative to it")
          .means("Sites and links with their latencies and bandwidths; needed with system: wan.")
          .source("the user's network"));
  add(special<OwnBandwidthText>(
          "wan.bandwidth", [](auto& c) -> auto& { return c.wan.bandwidth; })
          .defaults_to("own")
          .requires_that("a bandwidth, or own")
          .means("Of every link and every site's line; own: what the topology says.")
          .source("free choice"));
  add(enumeration(
          "wan.contention", [](auto& c) -> auto& { return c.wan.contention; })
          .defaults_to("access_only")
          .means("Whether streams meet on the sites' own lines only, or share all links they cross.")
          .source("Shah and Blier name the access lines; the core's load is not published"));
  add(time(
          "wan.jitter", [](auto& c) -> auto& { return c.wan.jitter; })
          .range("0 s", "10 s")
          .defaults_to("0 s")
          .means("The most that a packet is late, evenly distributed, in order.")
          .source("free choice; about 1.2 ms is measured between the nine cities"));
  add(real(
          "wan.loss", [](auto& c) -> auto& { return c.wan.loss; })
          .range("0", "0.5")
          .defaults_to("0")
          .means("Probability with which a data packet gets lost on its way to one of its sites.")
          .source("free choice"));
}

void add_schedule(ParameterList& list) {
  const auto add = [&](auto declaration) { list.push_back(declaration.only_in(SystemKind::wan)); };
  add(enumeration(
          "wan.mode", [](auto& c) -> auto& { return c.wan.mode; })
          .defaults_to("both")
          .means("What of the network's help is used: multicast and aggregation, one of them, neither "
                 "(unicast), or both with all sites in one place (colocated).")
          .source("Shah and Blier compare them"));
  add(enumeration(
          "wan.start", [](auto& c) -> auto& { return c.wan.start; })
          .defaults_to("arrival_aligned")
          .means("Whether sources start so that their streams arrive together as far as can be, or at once.")
          .source("derived: three sites then need almost no memory"));
  add(bytes(
          "wan.update", [](auto& c) -> auto& { return c.wan.update; })
          .range("1 B", "1 TB")
          .defaults_to("1 GB")
          .means("What a site sends the others of its clique in a round, without headers.")
          .source("free choice: 500 million parameters in FP16"));
  add(integer(
          "wan.repeat", [](auto& c) -> auto& { return c.wan.repeat; })
          .range("1", "1000")
          .defaults_to("1")
          .means("How often the schedule is gone through.")
          .source("free choice"));
  add(time(
          "wan.compute", [](auto& c) -> auto& { return c.wan.compute; })
          .range("0 s", "1000 s")
          .defaults_to("0 s")
          .means("Computation of a site before each round: its local steps.")
          .source("free choice"));
  add(word(
          "wan.straggler", [](auto& c) -> auto& { return c.wan.straggler; })
          .defaults_to("none")
          .requires_that("the name of a site, or none")
          .means("The site that computes for wan.straggler_compute instead.")
          .source("free choice"));
  add(time(
          "wan.straggler_compute", [](auto& c) -> auto& { return c.wan.straggler_compute; })
          .range("0 s", "1000 s")
          .defaults_to("0 s")
          .means("Computation of wan.straggler before each round.")
          .source("free choice"));
}

void add_sites(ParameterList& list) {
  list.push_back(
      file(
          "wan.wafer", [](auto& c) -> auto& { return c.wan.wafer; })
          .only_in(SystemKind::wan)
          .defaults_to("none")
          .requires_that("the configuration of a tree or a switch, inside a configuration relative "
                         "to it; or none")
          .means("What every site is: a wafer, whose NPUs add up wan.update bytes each before the rounds "
                 "and all have the sum after them; or one accelerator.")
          .source("free choice"));
}

}  // namespace

void add_wan_parameters(ParameterList& list) {
  add_network(list);
  add_schedule(list);
  add_sites(list);
}

}  // namespace fredsim::tb
