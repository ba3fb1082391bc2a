#include "tb/plan/switch_traffic.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tb/plan/expected_traffic.h"

namespace fredsim::tb {
namespace {

using Kind = FlowKind;

/// One passage of a flow through a switch: the ports that face down, and whether it comes from above or goes
/// there.
struct Passage {
  std::vector<hw::PortId> from_below;
  std::vector<hw::PortId> to_below;
  bool from_above = false;
  bool to_above = false;
};

/// The ports of a switch below which a flow has sources and destinations; ascending.
struct Below {
  std::vector<hw::PortId> sources;
  std::vector<hw::PortId> destinations;
};

/// What lies below the port where a copied packet comes in has its copy from further down.
void leave_out(std::vector<hw::PortId>& ports, hw::PortId port) {
  ports.erase(std::remove(ports.begin(), ports.end(), port), ports.end());
}

std::vector<Passage> passages(Kind kind, const Below& below, bool root) {
  const bool joins = kind == Kind::reduction || kind == Kind::control;
  std::vector<Passage> result;
  if (root) {
    Passage turn{below.sources, below.destinations};
    if (!joins) leave_out(turn.to_below, below.sources.front());
    result.push_back(std::move(turn));
    return result;
  }
  if (!below.sources.empty()) {
    Passage up{below.sources, {}};
    up.to_above = true;
    if (!joins) {
      up.to_below = below.destinations;
      leave_out(up.to_below, below.sources.front());
    }
    result.push_back(std::move(up));
  }
  if (!below.destinations.empty() && (joins || below.sources.empty())) {
    Passage down{{}, below.destinations};
    down.from_above = true;
    result.push_back(std::move(down));
  }
  return result;
}

class Spreading {
 public:
  Spreading(const std::vector<hw::Flow>& flows, const hw::PacketFormat& format, const PlaneAssignment& planes,
            const sw::Tree& tree, bool keep_order)
      : flows_(flows),
        format_(format),
        planes_(planes),
        tree_(tree),
        keep_order_(keep_order),
        traffic_(tree.switches().size()) {}

  std::vector<SwitchTraffic> run() {
    for (std::uint32_t first = 0; first < flows_.size(); first += flows_[first].stripes) spread(first);
    return std::move(traffic_);
  }

 private:
  /// All stripes of one flow.
  void spread(std::uint32_t first) {
    const hw::Flow& flow = flows_[first];
    if (share_a_turn(flow) && (first == 0 || flows_[first - 1].operation != flow.operation)) gather(first);
    const std::uint32_t root = tree_.level_above(members(flow));
    const std::vector<std::uint32_t> planes = planes_of(flow, root);
    for (std::uint32_t level = 1; level <= root; ++level) {
      for (const auto& [subtree, below] : branches(flow, level)) {
        const std::vector<Passage> parts = passages(kind_of(flow), below, level == root);
        std::vector<std::uint32_t> here;  // planes of this level, each once
        for (const std::uint32_t plane : planes) {
          const std::uint32_t own = tree_.plane_below(root, plane, level);
          if (here.empty() || here.back() != own) here.push_back(own);
        }
        for (const std::uint32_t own : here) pass(first, root, planes, parts, level, subtree, own);
      }
    }
  }

  /// The planes of level `root` for which a flow is routed. A flow of few packets does not use them all.
  std::vector<std::uint32_t> planes_of(const hw::Flow& flow, std::uint32_t root) const {
    std::vector<std::uint32_t> result;
    const PlaneRange range = kind_of(flow) == Kind::unicast ? PlaneRange{0, root > 1 ? tree_.planes(2) : 1}
                                                            : planes_.of_operation[flow.operation.value];
    if (root == 1) return {0};
    const std::uint32_t each = tree_.planes(root) / tree_.planes(2);
    for (std::uint32_t p = range.first * each; p < (range.first + range.count) * each; ++p)
      result.push_back(p);
    return result;
  }

  static hw::Group members(const hw::Flow& flow) {
    hw::Group all = flow.sources;
    all.insert(all.end(), flow.destinations.begin(), flow.destinations.end());
    return all;
  }

  std::map<std::uint32_t, Below> branches(const hw::Flow& flow, std::uint32_t level) const {
    std::map<std::uint32_t, Below> result;
    const auto place = [&](hw::NpuId npu, std::vector<hw::PortId> Below::*side) {
      const std::uint32_t subtree = tree_.subtree_of(npu, level);
      const sw::TreeSwitch& node = tree_.switches()[tree_.index_of(level, subtree, 0)];
      std::vector<hw::PortId>& ports = result[subtree].*side;
      const hw::PortId port = tree_.port_towards(node, npu);
      if (ports.empty() || ports.back() != port) ports.push_back(port);
    };
    for (const hw::NpuId npu : flow.sources) place(npu, &Below::sources);
    for (const hw::NpuId npu : flow.destinations) place(npu, &Below::destinations);
    return result;
  }

  /// The stripes that use one switch.
  void pass(std::uint32_t first, std::uint32_t root, const std::vector<std::uint32_t>& planes,
            const std::vector<Passage>& parts, std::uint32_t level, std::uint32_t subtree,
            std::uint32_t own) {
    const std::uint32_t index = tree_.index_of(level, subtree, own);
    const sw::TreeSwitch& node = tree_.switches()[index];
    SwitchTraffic& traffic = traffic_[index];
    const hw::Flow& flow = flows_[first];
    const Kind kind = kind_of(flow);

    std::vector<hw::PortId> ups;
    if (level < root) {
      for (const std::uint32_t plane : planes) {
        if (tree_.plane_below(root, plane, level) != own) continue;
        const hw::PortId port = tree_.up_port(node, root, plane);
        if (ups.empty() || ups.back() != port) ups.push_back(port);
      }
    }
    std::vector<ShapeId> shapes;
    std::uint32_t crossing = SwitchTraffic::none;
    if (kind == Kind::multicast || kind == Kind::reduction) {
      crossing = static_cast<std::uint32_t>(traffic.crossings.size());
      Crossing added{flow.operation, {}};
      for (const Passage& part : parts) {
        shapes.push_back(traffic.shapes.add(ports_of(part, ups)));
        added.shapes = with(std::move(added.shapes), shapes.back());
      }
      traffic.crossings.push_back(std::move(added));
    }
    for (std::uint32_t f = first; f < first + flow.stripes; ++f) {
      if (tree_.plane_below(root, flows_[f].plane, level) != own) continue;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        sw::SwitchFlow passing;
        passing.flow = hw::FlowId(f);
        passing.vc = flow.vc;
        std::vector<hw::PortId> up;
        if (level < root) up.push_back(tree_.up_port(node, root, flows_[f].plane));
        passing.ports = ports_of(parts[p], up);
        if (keep_order_ && kind != Kind::control && parts[p].to_above) {
          const bool together = share_a_turn(flow);
          passing.up_packets = together ? exchanged_.at({index, up.front().value})
                                        : packets_through(node, root, up.front(), first);
          passing.first_stripe = together ? exchange_ : hw::FlowId(first);
          passing.in_turn = kind == Kind::reduction || level + 1 < root;
        }
        traffic.flows.push_back(std::move(passing));
        traffic.crossing.push_back(crossing);
        traffic.shape.push_back(shapes.empty() ? 0 : shapes[p]);
      }
    }
  }

  /// Messages of an endpoint collective depend on each other in both directions, and the streams of a load
  /// interleave, so that none can pass a port as a whole before another: they share a turn.
  bool share_a_turn(const hw::Flow& flow) const {
    return flow.packets > 0 || flow.sources.front().value >= tree_.npus();
  }

  /// Adds up what the streams of one such operation, from the flow `first` on, send by each up port.
  void gather(std::uint32_t first) {
    exchange_ = hw::FlowId(first);
    exchanged_.clear();
    for (std::uint32_t f = first; f < flows_.size() && flows_[f].operation == flows_[first].operation; ++f) {
      const hw::Flow& flow = flows_[f];
      const std::uint32_t root = tree_.level_above(members(flow));
      for (std::uint32_t level = 1; level < root; ++level) {
        const std::uint32_t index = tree_.index_of(level, tree_.subtree_of(flow.sources.front(), level),
                                                   tree_.plane_below(root, flow.plane, level));
        const hw::PortId up = tree_.up_port(tree_.switches()[index], root, flow.plane);
        exchanged_[{index, up.value}] += packets_of(flow, format_);
      }
    }
  }

  /// Packets of all stripes of one flow that leave a switch by an up port.
  std::uint64_t packets_through(const sw::TreeSwitch& node, std::uint32_t root, hw::PortId up,
                                std::uint32_t first) const {
    std::uint64_t packets = 0;
    for (std::uint32_t f = first; f < first + flows_[first].stripes; ++f) {
      const std::uint32_t plane = flows_[f].plane;
      if (tree_.plane_below(root, plane, node.level) == node.plane && tree_.up_port(node, root, plane) == up)
        packets += packets_of(flows_[f], format_);
    }
    return packets;
  }

  static sw::PortFlow ports_of(const Passage& part, const std::vector<hw::PortId>& ups) {
    // Up ports come after those that face down.
    sw::PortFlow ports{part.from_below, part.to_below};
    if (part.from_above) ports.inputs = ups;
    if (part.to_above) ports.outputs.insert(ports.outputs.end(), ups.begin(), ups.end());
    return ports;
  }

  const std::vector<hw::Flow>& flows_;
  const hw::PacketFormat& format_;
  const PlaneAssignment& planes_;
  const sw::Tree& tree_;
  bool keep_order_;
  hw::FlowId exchange_;  ///< first flow of the operation at hand whose streams share turns
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>
      exchanged_;  ///< by switch, up port: packets
  std::vector<SwitchTraffic> traffic_;
};

}  // namespace

FlowKind kind_of(const hw::Flow& flow) {
  if (flow.vc == hw::VirtualChannel::control) return FlowKind::control;
  if (flow.sources.size() == 1 && flow.destinations.size() == 1) return FlowKind::unicast;
  return flow.reduces ? FlowKind::reduction : FlowKind::multicast;
}

std::vector<SwitchTraffic> traffic_of_switches(const std::vector<hw::Flow>& flows,
                                               const hw::PacketFormat& format, const PlaneAssignment& planes,
                                               const sw::Tree& tree, bool keep_order) {
  return Spreading(flows, format, planes, tree, keep_order).run();
}

}  // namespace fredsim::tb
