#include "tb/tests/system/closed_form.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

using hw::OperationType;

constexpr std::uint64_t packet = 4096, header = 6, control = 512;

/// Bytes on their way from sources to destinations.
struct Stream {
  std::vector<std::uint64_t> sources, destinations;
  std::uint64_t bytes = 0;
  std::uint64_t element = 1;
  bool joins = false;  ///< at every switch, up to the lowest one above all; else it is copied as it goes
  bool control = false;
};

std::uint64_t shard_of(std::uint64_t elements, std::uint64_t ranks, std::uint64_t rank) {
  return (rank + 1) * elements / ranks - rank * elements / ranks;
}

/// In the order in which members send them (FRED table 2).
std::vector<Stream> streams_of(const hw::Operation& operation) {
  std::vector<std::uint64_t> all;
  for (const hw::NpuId npu : operation.npus) all.push_back(npu.value);
  const std::uint64_t n = all.size();
  const auto others = [&](std::uint64_t npu) {
    std::vector<std::uint64_t> result;
    std::copy_if(all.begin(), all.end(), std::back_inserter(result), [&](auto m) { return m != npu; });
    return result;
  };
  const std::uint64_t bytes = operation.bytes;
  const std::uint64_t element = hw::size_of(operation.dtype.value_or(hw::DType::fp16));
  const std::uint64_t elements = (bytes + element - 1) / element;
  const std::uint64_t root = operation.root ? operation.root->value : 0;
  if (operation.type == OperationType::send) return {{all, {operation.peer->value}, bytes}};
  if (operation.type == OperationType::recv || operation.type == OperationType::compute || n == 1) return {};
  std::vector<Stream> result;
  switch (operation.type) {
    case OperationType::all_reduce:
      return {{all, all, elements * element, element, true}};
    case OperationType::reduce:
      return {{all, {root}, elements * element, element, true}};
    case OperationType::broadcast:
      return {{{root}, others(root), bytes}};
    case OperationType::reduce_scatter:
      for (std::uint64_t r = 0; r < n; ++r)
        result.push_back({all, {all[r]}, shard_of(elements, n, r) * element, element, true});
      return result;
    case OperationType::all_gather:
      for (const std::uint64_t npu : all) result.push_back({{npu}, others(npu), bytes});
      return result;
    case OperationType::scatter:
      for (const std::uint64_t npu : others(root)) result.push_back({{root}, {npu}, bytes});
      return result;
    case OperationType::gather:
      for (const std::uint64_t npu : others(root)) result.push_back({{npu}, {root}, bytes});
      return result;
    case OperationType::all_to_all:
      for (std::uint64_t step = 1; step < n; ++step) {
        for (std::uint64_t from = 0; from < n; ++from) {
          const std::uint64_t to = (from + step) % n;
          result.push_back({{all[from]}, {all[to]}, shard_of(bytes, n, to)});
        }
      }
      return result;
    case OperationType::barrier:
      return {{all, all, 0, 1, true, true}};
    default:
      throw std::logic_error("no closed form");
  }
}

/// The links between a subtree (of level 0: an NPU) and the level above it.
struct Place {
  std::uint64_t level = 0, subtree = 0;
  std::uint64_t plane = 0;  ///< of the level above
  bool up = false;

  friend bool operator<(const Place& a, const Place& b) {
    return std::tie(a.level, a.subtree, a.plane, a.up) < std::tie(b.level, b.subtree, b.plane, b.up);
  }
};

/// The traffic of all links between NPUs and switches and between switches.
class TreeTraffic {
 public:
  explicit TreeTraffic(const sw::TreeShape& shape) : shape_(shape) {
    npus_of_.push_back(1);
    planes_of_.push_back(1);
    for (std::uint64_t level = 1; level <= shape.levels(); ++level) {
      npus_of_.push_back(npus_of_.back() * (level == 1 ? shape.leaf_npus : shape.upper[level - 2].children));
      planes_of_.push_back(level == 1 ? 1 : planes_of_.back() * shape.upper[level - 2].planes);
    }
    for (std::uint64_t level = 0; level < shape.levels(); ++level) {
      for (std::uint64_t subtree = 0; subtree < npus_of_.back() / npus_of_[level]; ++subtree) {
        for (std::uint64_t plane = 0; plane < planes_of_[level + 1]; ++plane) {
          for (const bool up : {true, false}) links[{level, subtree, plane, up}] = {};
        }
      }
    }
  }

  void add(const hw::Workload& workload) {
    for (std::size_t o = 0; o < workload.operations.size(); ++o) {
      for (const Stream& s : streams_of(workload.operations[o])) add(s, o);
    }
  }

  std::string name_of(const Place& place) const {
    const std::string upper = switch_name(
        place.level + 1, place.subtree * npus_of_[place.level] / npus_of_[place.level + 1], place.plane);
    const std::string lower =
        place.level == 0 ? fmt::format("npu{}", place.subtree)
                         : switch_name(place.level, place.subtree,
                                       place.plane * planes_of_[place.level] / planes_of_[place.level + 1]);
    return place.up ? lower + "_to_" + upper : upper + "_to_" + lower;
  }

  std::map<Place, Crossing> links;

 private:
  std::string switch_name(std::uint64_t level, std::uint64_t subtree, std::uint64_t plane) const {
    if (shape_.levels() == 1) return "switch";
    return fmt::format("l{}_{}", level, subtree * planes_of_[level] + plane);
  }

  void add(const Stream& stream, std::size_t operation) {
    if (stream.bytes == 0 && !stream.control) return;
    std::vector<std::uint64_t> members = stream.sources;
    members.insert(members.end(), stream.destinations.begin(), stream.destinations.end());
    std::uint64_t root = 1;
    const auto [first, last] = std::minmax_element(members.begin(), members.end());
    while (*first / npus_of_[root] != *last / npus_of_[root]) ++root;

    // Packet after packet, plane after plane: unicasts start where the streams before them have left off, and
    // barriers take turns by their place in the trace.
    const std::uint64_t planes = planes_of_[root];
    const std::uint64_t payload = (packet - header) / stream.element * stream.element;
    const std::uint64_t packets = stream.control ? 1 : (stream.bytes + payload - 1) / payload;
    const std::uint64_t stripes = std::min(packets, planes);
    const bool unicast = stream.sources.size() == 1 && stream.destinations.size() == 1;
    std::uint64_t start = unicast ? stripes_ : 0;
    if (stream.control && root > 1) start = operation % planes_of_[2] * (planes / planes_of_[2]);
    for (std::uint64_t s = 0; s < stripes; ++s) {
      Crossing crossing{0, (packets - s + stripes - 1) / stripes, 0};
      crossing.bytes = crossing.packets * (header + payload);
      if ((packets - 1) % stripes == s) crossing.bytes -= packets * payload - stream.bytes;
      if (stream.control) crossing = {0, 0, 1};
      for (std::uint64_t level = 0; level < root; ++level) {
        const std::uint64_t plane = (start + s) % planes * planes_of_[level + 1] / planes;
        for (const auto& [subtree, sides] : branches(stream, level)) {
          if (sides.sources) links.at({level, subtree, plane, true}) += crossing;
          if (sides.destinations && (stream.joins || !sides.sources))
            links.at({level, subtree, plane, false}) += crossing;
        }
      }
    }
    stripes_ += stripes;
  }

  struct Sides {
    bool sources = false, destinations = false;
  };
  std::map<std::uint64_t, Sides> branches(const Stream& stream, std::uint64_t level) const {
    std::map<std::uint64_t, Sides> result;
    for (const std::uint64_t npu : stream.sources) result[npu / npus_of_[level]].sources = true;
    for (const std::uint64_t npu : stream.destinations) result[npu / npus_of_[level]].destinations = true;
    return result;
  }

  const sw::TreeShape& shape_;
  std::vector<std::uint64_t> npus_of_;    ///< of a subtree, by level from 0
  std::vector<std::uint64_t> planes_of_;  ///< switches of a subtree, by level from 0
  std::uint64_t stripes_ = 0;             ///< so far
};

/// What the result says of a link, after a look at what every link's counts keep to.
Crossing carried(const nlohmann::json& link) {
  const Crossing crossing{link["bytes"], link["packets"], link["control_packets"]};
  EXPECT_EQ(link["control_bytes"], crossing.control_packets * control);
  EXPECT_EQ(link["sent"], crossing.packets + crossing.control_packets);
  EXPECT_EQ(link["delivered"], link["sent"]);
  return crossing;
}

void expect_equal(const Crossing& is, const Crossing& should) {
  EXPECT_EQ(is.bytes, should.bytes);
  EXPECT_EQ(is.packets, should.packets);
  EXPECT_EQ(is.control_packets, should.control_packets);
}

}  // namespace

Crossing& Crossing::operator+=(const Crossing& other) {
  bytes += other.bytes;
  packets += other.packets;
  control_packets += other.control_packets;
  return *this;
}

Crossing stream(std::uint64_t bytes, std::uint64_t element) {
  const std::uint64_t payload = (packet - header) / element * element;
  const std::uint64_t packets = (bytes + payload - 1) / payload;
  return {bytes + packets * header, packets, 0};
}

void expect_link(const nlohmann::json& result, const std::string& name, const Crossing& crossing) {
  SCOPED_TRACE(name);
  expect_equal(carried(find(result["links"], name)), crossing);
}

void expect_traffic(const hw::Workload& workload, const nlohmann::json& result, const sw::TreeShape& shape,
                    Links links) {
  TreeTraffic expected(shape);
  expected.add(workload);
  std::map<std::string, Crossing> by_name;
  for (const auto& link : result["links"]) {
    SCOPED_TRACE(link["name"]);
    EXPECT_TRUE(by_name.emplace(link["name"], carried(link)).second) << "twice";
  }
  std::map<Place, std::pair<Crossing, Crossing>> sums;
  for (const auto& [place, crossing] : expected.links) {
    const std::string name = expected.name_of(place);
    SCOPED_TRACE(name);
    const auto link = by_name.find(name);
    ASSERT_NE(link, by_name.end());
    if (links == Links::each) expect_equal(link->second, crossing);
    auto& [is, should] = sums[{place.level, place.subtree, 0, place.up}];
    is += link->second;
    should += crossing;
    if (place.level == 0) {
      const nlohmann::json& npu = result["npus"][place.subtree];
      EXPECT_EQ(npu[place.up ? "sent_bytes" : "received_bytes"],
                crossing.bytes + crossing.control_packets * control);
    }
    by_name.erase(link);
  }
  for (const auto& [place, sum] : sums) {
    SCOPED_TRACE("and the other planes of " + expected.name_of(place));
    expect_equal(sum.first, sum.second);
  }
  EXPECT_EQ(by_name.size(), 2 * shape.io_controllers);
  for (const auto& [name, crossing] : by_name) {
    SCOPED_TRACE(name);
    EXPECT_NE(name.find("io"), std::string::npos);
    expect_equal(crossing, {});
  }
}

double busiest_link_ns(const hw::Workload& workload, const sw::TreeShape& shape, double npu_bandwidth,
                       double plane_bandwidth) {
  TreeTraffic traffic(shape);
  traffic.add(workload);
  double ns = 0;
  for (const auto& [place, crossing] : traffic.links) {
    ns = std::max(ns,
                  static_cast<double>(crossing.bytes) / (place.level == 0 ? npu_bandwidth : plane_bandwidth));
  }
  return ns;
}

}  // namespace fredsim::tb::test
