#include "tb/configuration/combinations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "switch/fabric/tree.h"
#include "switch/route/structure.h"
#include "tb/configuration/declaration.h"
#include "tb/configuration/link_names.h"
#include "tb/configuration/parameter.h"

namespace fredsim::tb {
namespace {

class Check {
 public:
  Check(const Configuration& configuration, Problems& problems)
      : configuration_(configuration), problems_(problems) {}

  void packet_sizes() {
    const PacketConfiguration& packet = configuration_.packet;
    if (packet.header >= packet.bytes) {
      refuse({"packet.header", "packet.bytes"},
             fmt::format(
                 "a header of {} leaves no room for data in a packet of {}; packet.header must be less than "
                 "packet.bytes",
                 value("packet.header"), value("packet.bytes")));
    } else if (packet.payload() < hw::size_of(hw::DType::fp32)) {
      // The widest type: a trace may name it for any of its operations.
      refuse(
          {"packet.bytes", "packet.header"},
          fmt::format(
              "a packet of {} carries {} of data behind its header of {}; one element of fp32 or int32 needs "
              "4 B",
              value("packet.bytes"), hw::bytes_to_string(packet.payload()), value("packet.header")));
    }
    if (packet.control < packet.header) {
      refuse(
          {"packet.control", "packet.header"},
          fmt::format("a control packet of {} cannot hold its header of {}; packet.control must be at least "
                      "packet.header",
                      value("packet.control"), value("packet.header")));
    }
  }

  /// Packets move only as a whole (virtual cut-through, FRED sec. 6.2.3), so a smaller buffer never gets one.
  void buffer_sizes() {
    for (const Parameter& parameter : parameters()) {
      if (topic_of(parameter) != "buffer" || !no_effect(parameter, configuration_).empty()) continue;
      const bool control = parameter.key.substr(parameter.key.rfind('.')) == ".control";
      const std::string packet_key = control ? "packet.control" : "packet.bytes";
      const hw::Capacity capacity = hw::parse_capacity(parameter.print(configuration_));
      const std::uint64_t packet = control ? configuration_.packet.control : configuration_.packet.bytes;
      if (capacity.is_unlimited() || capacity.bytes() >= packet) continue;
      refuse({parameter.key, parameter.default_from, packet_key},
             fmt::format("{} of {} cannot hold a packet of {} ({}); make the buffer at least as large as "
                         "the packet",
                         parameter.key, value(parameter.key), value(packet_key), packet_key));
    }
  }

  /// Trains stand for packets where nothing depends on a single packet, and where links never wait for
  /// credit.
  void transactions() {
    const std::uint64_t packet = configuration_.packet.bytes;
    const std::uint64_t transaction = configuration_.transaction;
    if (transaction == packet) return;
    const std::vector<std::string> keys{"transaction", "packet.bytes"};
    if (transaction < packet || transaction % packet != 0) {
      refuse(keys, fmt::format("a transaction of {} is no multiple of packet.bytes ({})",
                               value("transaction"), value("packet.bytes")));
      return;
    }
    if (configuration_.reliability() != Reliability::none)
      refuse(keys,
             "packets are damaged and resent one by one; with reliable delivery transaction is packet.bytes");
    if (configuration_.pressure.seed != 0)
      refuse(keys,
             "random pressure delays packets one by one; with pressure.seed transaction is packet.bytes");
    const Configuration& c = configuration_;
    keeps_busy("NPUs", c.npu_link(), c.npu_buffers());
    keeps_busy("I/O controllers", c.io_link(), c.io_buffers());
    if (c.system == SystemKind::mesh) {
      keeps_busy("routers", c.npu_link(), c.router_buffers());
      keeps_busy("routers", c.mesh_link(), c.router_buffers());
      return;
    }
    keeps_busy("switches", c.npu_link(), c.switch_buffers(1, PortSide::down));
    keeps_busy("switches", c.io_link(), c.switch_buffers(1, PortSide::io));
    for (std::uint32_t level = 2; level <= c.levels(); ++level) {
      keeps_busy("switches", c.link_up_to(level), c.switch_buffers(level, PortSide::down));
      keeps_busy("switches", c.link_up_to(level), c.switch_buffers(level - 1, PortSide::up));
    }
  }

  /// n packets of time s in a buffer sustain n s / (2 L + s) of a link of latency L.
  void keeps_busy(const char* whose, const LinkConfiguration& link, const hw::Capacities& buffers) {
    const double packet = static_cast<double>(link.bandwidth.time_for(configuration_.packet.bytes).fs());
    const double round = packet + 2 * static_cast<double>(link.latency.fs());
    for (const hw::TrafficClass c : {hw::TrafficClass::mp, hw::TrafficClass::pp, hw::TrafficClass::dp}) {
      const hw::Capacity capacity = buffers[hw::index(c)];
      if (capacity.is_unlimited()) continue;
      const double share =
          static_cast<double>(capacity.bytes() / configuration_.packet.bytes) * packet / round;
      if (share >= 1) continue;
      refuse(
          {"transaction"},
          fmt::format("buffers of {} for class {} at the {} keep a link of {} busy for {:.0f} % of the time, "
                      "which trains of packets do not show; run packets, or give larger buffers",
                      hw::to_string(capacity), hw::to_string(c), whose, hw::to_string(link.bandwidth),
                      100 * share));
      return;
    }
  }

  /// Routers do not reduce, so that a mesh has nothing to carry out a collective in the network.
  void algorithms() {
    if (configuration_.system != SystemKind::mesh) return;
    for (const char* key : {"collective.mp", "collective.pp", "collective.dp"}) {
      if (value(key) != "in-network") continue;
      refuse(
          {key, "collective.algorithm"},
          "in-network needs switches that reduce, and a mesh has none; auto or one of the others is allowed");
    }
  }

  void tree_size() {
    if (configuration_.system != SystemKind::tree) return;
    const sw::TreeShape shape = configuration_.tree_shape();
    const auto refuse_size = [&](std::uint64_t size, const char* what, const char* key) {
      std::vector<std::string> keys{"tree.levels"};
      for (std::uint32_t level = shape.levels(); level > 1; --level) {
        keys.push_back(at_level(fmt::format("tree.lK.{}", key), level));
      }
      keys.insert(keys.end(), {fmt::format("tree.{}", key), "tree.children", "tree.leaf_npus"});
      const bool too_many = size == std::numeric_limits<std::uint64_t>::max();
      refuse(keys, fmt::format("the tree would have {} {}; at most {} are allowed",
                               too_many ? "far too many" : std::to_string(size), what, sw::max_tree_size));
    };
    if (shape.npus() > sw::max_tree_size) return refuse_size(shape.npus(), "NPUs", "children");
    if (shape.switches() > sw::max_tree_size) return refuse_size(shape.switches(), "switches", "planes");
    for (std::uint32_t level = 1; level <= shape.levels(); ++level) switch_ports(shape, level);
  }

  void wan() {
    const WanConfiguration& wan = configuration_.wan;
    if (configuration_.given.count("wan.topology") == 0) {
      problems_.add(configuration_.source + ":1:1", "wan.topology",
                    "is missing; a WAN needs a file of sites and links");
    }
    // Without sources that can wait, an aggregator that cannot keep everything must ask again.
    if (wan.loss > 0 && !wan.aggregate()) {
      refuse({"wan.loss", "wan.mode"},
             "packets that get lost are asked for again by aggregators; there are none with wan.mode " +
                 value("wan.mode"));
    }
    if (configuration_.data.pattern == hw::PatternKind::rounding &&
        (configuration_.aggregator.organization != agg::Organization::buffer_per_source ||
         configuration_.aggregator.policy == AggregatorPolicy::bypass || !wan.aggregate())) {
      refuse({"data.pattern"},
             "sums that round have their bits from the order of adding, which is fixed only with "
             "aggregator.organization buffer_per_source and no bypass; use exact");
    }
    if (wan.wafer != "none" && configuration_.data.pattern == hw::PatternKind::rounding) {
      refuse({"data.pattern", "wan.wafer"}, "wafers of a WAN add up exact data only");
    }
    if (wan.wafer != "none" && wan.repeat > 1) {
      refuse({"wan.repeat", "wan.wafer"}, "wafers take part in one global sum; wan.repeat 1 is allowed");
    }
  }

  /// Only for a tree that can be built.
  void faults() {
    if (configuration_.faults.any() && configuration_.reliability() == Reliability::none) {
      refuse({"reliability"},
             "with none, faults would go unnoticed and give wrong data; flow, link and auto make them good");
    }
    if (configuration_.system == SystemKind::mesh && configuration_.reliability() == Reliability::flow) {
      refuse({"reliability"},
             "flow needs switches that acknowledge and send sources back, and a mesh has none; auto and link "
             "are allowed");
    }
    if (configuration_.faults.script.empty()) return;
    const std::vector<std::string> links = link_names(configuration_);
    for (const FaultEntry& entry : configuration_.faults.script) {
      if (entry.link.empty()) {
        if (entry.npu < configuration_.npus()) continue;
        problems_.add(entry.place, "faults.script",
                      fmt::format("there is no NPU {}; the system has {}, counted from 0", entry.npu,
                                  configuration_.npus()));
      } else if (std::find(links.begin(), links.end(), entry.link) == links.end()) {
        problems_.add(
            entry.place, "faults.script",
            fmt::format("there is no link {}{}; the system has {}, from {} to {}", in_quotes(entry.link),
                        hw::did_you_mean(entry.link, links), links.size(), links.front(), links.back()));
      }
    }
  }

 private:
  /// Some of a switch's ports, and the keys that decide how many, the nearest first.
  struct Share {
    std::uint32_t ports;
    std::string what;
    std::vector<std::string> keys;
  };

  void switch_ports(const sw::TreeShape& shape, std::uint32_t level) {
    const auto of_level = [](const char* key, std::uint32_t at) {
      return std::vector<std::string>{at_level(fmt::format("tree.lK.{}", key), at),
                                      fmt::format("tree.{}", key)};
    };
    std::vector<Share> shares;
    const std::uint32_t down = shape.down_ports(level);
    if (level == 1) {
      shares.push_back({down, "for NPUs", {"tree.leaf_npus"}});
      shares.push_back({shape.io_ports(level), "for I/O controllers", {"tree.io_controllers"}});
    } else {
      shares.push_back({down, "down", of_level("children", level)});
    }
    if (level < shape.levels()) {
      shares.push_back({shape.up_ports(level), "up", of_level("planes", level + 1)});
    }
    std::uint64_t sum = 0;
    std::vector<std::string> terms;
    for (const Share& share : shares) {
      sum += share.ports;
      terms.push_back(fmt::format("{} {}", share.ports, share.what));
    }
    if (sum >= sw::min_ports && sum <= sw::max_ports) return;
    // To blame is what the user gave of the largest share, else whatever made the tree what it is.
    std::stable_sort(shares.begin(), shares.end(),
                     [](const Share& a, const Share& b) { return a.ports > b.ports; });
    std::vector<std::string> keys;
    for (const Share& share : shares) keys.insert(keys.end(), share.keys.begin(), share.keys.end());
    for (std::uint32_t other = 2; other <= shape.levels(); ++other) {
      const std::vector<std::string> children = of_level("children", other);
      keys.insert(keys.end(), children.begin(), children.end());
    }
    keys.insert(keys.end(), {"tree.children", "tree.levels"});
    refuse(keys,
           fmt::format("a switch of level {} would have {} port{} ({}); {} to {} are allowed", level, sum,
                       sum == 1 ? "" : "s", fmt::join(terms, " + "), sw::min_ports, sw::max_ports));
  }

  std::string value(const std::string& key) const { return find_parameter(key)->print(configuration_); }

  /// Blame the first of `keys` that the user gave, each only once: one small `buffer.dp` is one mistake,
  /// however many port classes take their size from it.
  void refuse(const std::vector<std::string>& keys, const std::string& what) {
    for (const std::string& key : keys) {
      const auto found = configuration_.given.find(key);
      if (found == configuration_.given.end()) continue;
      if (blamed_.insert(key).second) problems_.add(found->second.place, key, what);
      return;
    }
    throw hw::InternalError("the defaults contradict each other: " + what);
  }

  const Configuration& configuration_;
  Problems& problems_;
  std::set<std::string> blamed_;
};

}  // namespace

void check_combinations(const Configuration& configuration, Problems& problems) {
  Check check(configuration, problems);
  check.packet_sizes();
  if (configuration.system == SystemKind::wan) return check.wan();
  check.buffer_sizes();
  check.transactions();
  check.tree_size();
  check.algorithms();
  if (problems.empty()) check.faults();
}

}  // namespace fredsim::tb
