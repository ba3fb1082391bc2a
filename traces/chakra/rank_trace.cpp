#include "traces/chakra/rank_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "hw/core/error.h"
#include "traces/chakra/execution_trace.pb.h"
#include "traces/chakra/message_stream.h"
#include "traces/format/check.h"

namespace fredsim::trace {
namespace {

using chakra::AttributeProto;

/// The attributes of one node, by name.
class Attributes {
 public:
  Attributes(const chakra::Node& node, std::string place) : node_(node), place_(std::move(place)) {}

  [[noreturn]] void fail(const std::string& reason) const {
    throw hw::InputError(fmt::format("{}: {}", place_, reason));
  }

  /// A whole number of any width and sign that the encoding knows, from `low` to `high`.
  std::optional<std::int64_t> whole(const char* name, std::int64_t low, std::int64_t high) const {
    const AttributeProto* attribute = find(name);
    if (!attribute) return std::nullopt;
    const auto checked = [&](auto value) {
      const bool negative = value < 0;
      const bool inside =
          negative ? static_cast<std::int64_t>(value) >= low
                   : static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(high) &&
                         (low < 0 || static_cast<std::uint64_t>(value) >= static_cast<std::uint64_t>(low));
      if (!inside) fail(fmt::format("{} is {}, allowed are {} to {}", name, value, low, high));
      return static_cast<std::int64_t>(value);
    };
    switch (attribute->value_case()) {
      case AttributeProto::kInt32Value:
        return checked(attribute->int32_value());
      case AttributeProto::kInt64Value:
        return checked(attribute->int64_value());
      case AttributeProto::kUint32Value:
        return checked(attribute->uint32_value());
      case AttributeProto::kUint64Value:
        return checked(attribute->uint64_value());
      case AttributeProto::kSint32Value:
        return checked(attribute->sint32_value());
      case AttributeProto::kSint64Value:
        return checked(attribute->sint64_value());
      case AttributeProto::kFixed32Value:
        return checked(attribute->fixed32_value());
      case AttributeProto::kFixed64Value:
        return checked(attribute->fixed64_value());
      case AttributeProto::kSfixed32Value:
        return checked(attribute->sfixed32_value());
      case AttributeProto::kSfixed64Value:
        return checked(attribute->sfixed64_value());
      default:
        fail(fmt::format("{} must be a whole number", name));
    }
  }

  std::int64_t needed(const char* name, std::int64_t low, std::int64_t high) const {
    const auto value = whole(name, low, high);
    if (!value) fail(fmt::format("has no {}", name));
    return *value;
  }

  bool truth(const char* name) const {
    const AttributeProto* attribute = find(name);
    if (!attribute) return false;
    if (attribute->value_case() == AttributeProto::kBoolValue) return attribute->bool_value();
    return *whole(name, 0, 1) != 0;
  }

  /// A string, or a number that stands for one.
  std::string text(const char* name) const {
    const AttributeProto* attribute = find(name);
    if (!attribute) return "";
    if (attribute->value_case() == AttributeProto::kStringValue) return attribute->string_value();
    if (attribute->value_case() == AttributeProto::kBytesValue) return attribute->bytes_value();
    return std::to_string(*whole(name, 0, std::numeric_limits<std::int64_t>::max()));
  }

  const AttributeProto* find(const char* name) const {
    const auto& all = node_.attr();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.name() == name; });
    return found == all.end() ? nullptr : &*found;
  }

 private:
  const chakra::Node& node_;
  std::string place_;
};

constexpr std::int64_t max_rank = max_npus - 1;
constexpr std::int64_t any_size = static_cast<std::int64_t>(max_bytes);

hw::OperationType collective_type(const Attributes& attributes) {
  using T = hw::OperationType;
  // By number; reduce-scatter-block (8) is a reduce-scatter.
  constexpr T types[] = {T::all_reduce, T::reduce,     T::all_gather,     T::gather,         T::scatter,
                         T::broadcast,  T::all_to_all, T::reduce_scatter, T::reduce_scatter, T::barrier};
  return types[attributes.needed("comm_type", 0, 9)];
}

void read_work(const chakra::Node& proto, const Attributes& attributes, ChakraNode& node) {
  constexpr std::uint64_t fs_per_us = 1'000'000'000;
  if (proto.duration_micros() > std::numeric_limits<std::int64_t>::max() / fs_per_us) {
    attributes.fail(
        fmt::format("duration_micros is {}, which is longer than can be simulated", proto.duration_micros()));
  }
  node.kind = ChakraNode::Kind::work;
  node.duration = hw::Time::fs(static_cast<std::int64_t>(proto.duration_micros() * fs_per_us));
  if (proto.duration_micros() == 0) {
    const auto operations = attributes.whole("num_ops", 0, std::numeric_limits<std::int64_t>::max());
    node.flops = static_cast<double>(operations.value_or(0));
  }
}

void read_collective(const Attributes& attributes, ChakraNode& node) {
  node.kind = ChakraNode::Kind::collective;
  node.collective = collective_type(attributes);
  node.group = attributes.text("pg_name");
  if (node.group == "0") node.group.clear();
  if (node.collective != hw::OperationType::barrier) {
    node.bytes = static_cast<std::uint64_t>(attributes.needed("comm_size", 0, any_size));
  }
  if (const auto root = attributes.whole("root", 0, max_rank)) node.root = static_cast<std::uint32_t>(*root);
  const AttributeProto* dimensions = attributes.find("involved_dim");
  if (dimensions && node.group.empty()) {
    const auto& values = dimensions->bool_list().values();
    if (dimensions->value_case() != AttributeProto::kBoolList ||
        std::find(values.begin(), values.end(), false) != values.end()) {
      attributes.fail(
          "involved_dim names some dimensions of a topology that the trace does not describe; name the group "
          "by "
          "pg_name");
    }
  }
}

void read_point_to_point(const Attributes& attributes, std::uint32_t rank, bool sends, ChakraNode& node) {
  node.kind = sends ? ChakraNode::Kind::send : ChakraNode::Kind::receive;
  const char* own = sends ? "comm_src" : "comm_dst";
  const auto said = attributes.whole(own, 0, max_rank);
  if (said && *said != rank)
    attributes.fail(fmt::format("{} is {}, but this is the file of rank {}", own, *said, rank));
  node.peer = static_cast<std::uint32_t>(attributes.needed(sends ? "comm_dst" : "comm_src", 0, max_rank));
  node.bytes = static_cast<std::uint64_t>(attributes.needed("comm_size", 0, any_size));
  node.tag = attributes
                 .whole("comm_tag", std::numeric_limits<std::int64_t>::min(),
                        std::numeric_limits<std::int64_t>::max())
                 .value_or(0);
}

/// Process groups, if the metadata node is the one that defines them; other metadata is of no concern here.
void read_groups(const chakra::Node& proto, const Attributes& attributes, std::vector<ChakraGroup>& groups) {
  const std::string& text = proto.inputs().values();
  if (text.find("pg_name") == std::string::npos) return;
  const auto json = nlohmann::json::parse(text, nullptr, false);
  const auto bad = [&](const char* reason) {
    attributes.fail(
        fmt::format("inputs.values must be like [{{\"pg_name\":\"1\",\"ranks\":[0,1]}}]: {}", reason));
  };
  if (!json.is_array()) bad("it is no JSON array");
  for (const auto& entry : json) {
    if (!entry.is_object() || !entry.contains("pg_name")) bad("an entry has no pg_name");
    ChakraGroup group;
    group.node = proto.id();
    const auto& name = entry["pg_name"];
    if (name.is_string()) {
      group.name = name.get<std::string>();
    } else if (name.is_number_unsigned()) {
      group.name = std::to_string(name.get<std::uint64_t>());
    } else {
      bad("pg_name is neither a string nor a number");
    }
    if (entry.contains("ranks")) {
      if (!entry["ranks"].is_array()) bad("ranks is no array");
      for (const auto& rank : entry["ranks"]) {
        if (!rank.is_number_unsigned() || rank.get<std::uint64_t>() > max_rank)
          bad("a rank is not a whole number from 0 on, or too large");
        group.ranks.push_back(rank.get<std::uint32_t>());
      }
    }
    groups.push_back(std::move(group));
  }
}

/// Dependencies as indices; they may point forward, so this comes when every node is known.
void resolve(RankTrace& trace, const std::vector<std::vector<std::uint64_t>>& ids) {
  std::unordered_map<std::uint64_t, std::uint32_t> index;
  for (std::uint32_t i = 0; i < trace.nodes.size(); ++i) {
    if (!index.emplace(trace.nodes[i].id, i).second) {
      throw hw::InputError(fmt::format("{}: the id is given twice", place(trace, trace.nodes[i])));
    }
  }
  for (std::uint32_t i = 0; i < trace.nodes.size(); ++i) {
    ChakraNode& node = trace.nodes[i];
    for (const std::uint64_t id : ids[i]) {
      const auto found = index.find(id);
      if (found == index.end()) {
        throw hw::InputError(
            fmt::format("{}: depends on node {}, which is not in the file", place(trace, node), id));
      }
      if (found->second == i) throw hw::InputError(fmt::format("{}: depends on itself", place(trace, node)));
      node.deps.push_back(found->second);
    }
    std::sort(node.deps.begin(), node.deps.end());
    node.deps.erase(std::unique(node.deps.begin(), node.deps.end()), node.deps.end());
  }
}

/// Names come from other programs: only what reads well in results and waveforms is kept.
std::string tidy(const std::string& name) {
  constexpr std::size_t longest = 64;
  std::string text = name.substr(0, longest);
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char c) { return c <= 0x20 || c >= 0x7f || c == '"' || c == '\\'; }, '_');
  return text;
}

}  // namespace

std::string place(const RankTrace& trace, const ChakraNode& node) {
  return fmt::format("{}: node {} ({})", trace.file, node.id, node.name);
}

RankTrace read_rank(const std::string& path, std::uint32_t rank) {
  RankTrace trace;
  trace.file = path;
  MessageStream stream(path);
  std::string message;
  if (!stream.next(message)) throw hw::InputError(fmt::format("{}: the file is empty", path));
  const auto parse = [&](auto& proto, const char* what) {
    if (!proto.ParseFromString(message))
      throw hw::InputError(fmt::format("{}: is no Chakra {}", stream.place(), what));
  };
  chakra::GlobalMetadata metadata;
  parse(metadata, "metadata, which comes first in the file");

  std::vector<std::vector<std::uint64_t>> deps;
  while (stream.next(message)) {
    chakra::Node proto;
    parse(proto, "node");
    ChakraNode node;
    node.id = proto.id();
    node.name = tidy(proto.name());
    const Attributes attributes(proto, place(trace, node));
    switch (proto.type()) {
      case chakra::METADATA_NODE:
        node.kind = ChakraNode::Kind::metadata;
        read_groups(proto, attributes, trace.groups);
        break;
      case chakra::MEM_LOAD_NODE:
      case chakra::MEM_STORE_NODE:
      case chakra::COMP_NODE:
        read_work(proto, attributes, node);
        break;
      case chakra::COMM_SEND_NODE:
      case chakra::COMM_RECV_NODE:
      case chakra::COMM_COLL_NODE:
        // What the host does for a transfer is work of its own; the transfer is another node.
        if (attributes.truth("is_cpu_op")) {
          read_work(proto, attributes, node);
        } else if (proto.type() == chakra::COMM_COLL_NODE) {
          read_collective(attributes, node);
        } else {
          read_point_to_point(attributes, rank, proto.type() == chakra::COMM_SEND_NODE, node);
        }
        break;
      default:
        attributes.fail(fmt::format("its type is {}, known are 1 (metadata) to 7 (collective)",
                                    static_cast<int>(proto.type())));
    }
    deps.emplace_back(proto.ctrl_deps().begin(), proto.ctrl_deps().end());
    deps.back().insert(deps.back().end(), proto.data_deps().begin(), proto.data_deps().end());
    trace.nodes.push_back(std::move(node));
  }
  resolve(trace, deps);
  return trace;
}

}  // namespace fredsim::trace
