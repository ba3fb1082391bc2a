#include <string>
#include <vector>

#include "tb/configuration/declaration.h"
#include "tb/configuration/parameter_groups.h"

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
const std::vector<std::string>& names_of<agg::Organization>() {
  static const std::vector<std::string> names{"accumulate_on_arrival", "buffer_per_source"};
  return names;
}
template <>
const std::vector<std::string>& names_of<agg::Accumulator>() {
  static const std::vector<std::string> names{"as_wide", "fp32"};
  return names;
}
template <>
const std::vector<std::string>& names_of<WanMode>() {
  static const std::vector<std::string> names{"both", "multicast", "aggregation", "unicast", "colocated"};
  return names;
}
template <>
const std::vector<std::string>& names_of<AggregatorPolicy>() {
  static const std::vector<std::string> names{"backpressure", "pace", "drop", "bypass"};
  return names;
}
template <>
const std::vector<std::string>& names_of<TimeoutAction>() {
  static const std::vector<std::string> names{"wait", "partial", "abort"};
  return names;
}

namespace {

/// A bandwidth, or the word that stands for none.
std::optional<hw::Bandwidth> parse_optional(const std::string& text, const char* none) {
  if (text == none) return std::nullopt;
  try {
    return hw::parse_bandwidth(text);
  } catch (const hw::InputError& error) {
    throw hw::InputError(std::string(error.what()) + ", or '" + none + "'");
  }
}

struct OwnBandwidthText {
  static constexpr ValueType type = ValueType::bandwidth;
  static std::optional<hw::Bandwidth> parse(const std::string& text) { return parse_optional(text, "own"); }
  static std::string print(std::optional<hw::Bandwidth> b) { return b ? hw::to_string(*b) : "own"; }
};

struct BoundedBandwidthText {
  static constexpr ValueType type = ValueType::bandwidth;
  static std::optional<hw::Bandwidth> parse(const std::string& text) {
    return parse_optional(text, "unlimited");
  }
  static std::string print(std::optional<hw::Bandwidth> b) { return b ? hw::to_string(*b) : "unlimited"; }
};

template <class Text, class Field>
auto optional_bandwidth(std::string key, Field field) {
  return Declaration<Text, Field>(std::move(key), std::move(field));
}

void add_network(ParameterList& list) {
  const auto add = [&](auto declaration) { list.push_back(declaration.only_in(SystemKind::wan)); };
  add(word(
          "wan.topology", [](auto& c) -> auto& { return c.wan.topology; })
          .defaults_to("none")
          .requires_that("a file, YAML or CSV; inside a configuration relative to it")
          .means("Sites and links with their latencies and bandwidths; needed with system: wan.")
          .source("the user's network"));
  add(optional_bandwidth<OwnBandwidthText>(
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

}  // namespace

void add_wan_parameters(ParameterList& list) {
  add_network(list);
  add_schedule(list);
}

void add_aggregator_parameters(ParameterList& list) {
  const auto add = [&](auto declaration) { list.push_back(declaration.only_in(SystemKind::wan)); };
  add(capacity(
          "aggregator.memory", [](auto& c) -> auto& { return c.aggregator.memory; })
          .range("1 B", "unlimited")
          .defaults_to("44.7 MB")
          .requires_that("with room for one packet of a clique")
          .means("Slot memory of each aggregator.")
          .source("AMD Alveo U280 and U55C, on chip; V80 on chip 88.2 MB, HBM 8, 16 and 32 GB"));
  add(enumeration(
          "aggregator.organization", [](auto& c) -> auto& { return c.aggregator.organization; })
          .defaults_to("accumulate_on_arrival")
          .means("Whether packets are added as they come, or kept by source and added in a fixed order.")
          .source("free choice"));
  add(enumeration(
          "aggregator.accumulator", [](auto& c) -> auto& { return c.aggregator.accumulator; })
          .defaults_to("fp32")
          .means("Accumulators as wide as the elements, or FP32 for FP16 and BF16.")
          .source("free choice: 9 x 8192 overflows FP16"));
  add(enumeration(
          "aggregator.policy", [](auto& c) -> auto& { return c.aggregator.policy; })
          .defaults_to("pace")
          .means("How memory is kept from overflowing, or what becomes of packets without room.")
          .source("free choice"));
  add(time(
          "aggregator.timeout", [](auto& c) -> auto& { return c.aggregator.timeout; })
          .range("0 s", "1000 s")
          .defaults_to("1 s")
          .means("How long, beyond a round trip, no sum may pass before what is missing is asked for again; "
                 "0 s: never.")
          .source("free choice"));
  add(integer(
          "aggregator.retries", [](auto& c) -> auto& { return c.aggregator.retries; })
          .range("0", "1000")
          .defaults_to("3")
          .means("How often it is asked for before the source is reported.")
          .source("free choice"));
  add(enumeration(
          "aggregator.on_timeout", [](auto& c) -> auto& { return c.aggregator.on_timeout; })
          .defaults_to("wait")
          .means("What follows a report: wait for the source, pass on sums without it, or give up the round.")
          .source("free choice"));
  add(integer(
          "aggregator.width", [](auto& c) -> auto& { return c.aggregator.width; })
          .unit("bits")
          .range("0", "65536")
          .defaults_to("512")
          .means("Width of the data path; 0: no limit.")
          .source("512 bits at 322 MHz are 165 Gb/s"));
  add(real(
          "aggregator.clock", [](auto& c) -> auto& { return c.aggregator.clock; })
          .unit("Hz")
          .range("1e3", "1e11")
          .defaults_to("322e6")
          .means("Clock of the data path.")
          .source("the usual clock of a 100 Gb/s MAC on such FPGAs"));
  add(optional_bandwidth<BoundedBandwidthText>(
          "aggregator.memory_bandwidth", [](auto& c) -> auto& { return c.aggregator.memory_bandwidth; })
          .defaults_to("unlimited")
          .requires_that("a bandwidth, or unlimited")
          .means("Of the slot memory.")
          .source("on chip; HBM: 460 GB/s (U280, U55C), 819 GB/s (V80)"));
}

}  // namespace fredsim::tb
