#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <set>

#include "fpga_agg/schedule/topology_builder.h"
#include "hw/core/error.h"
#include "hw/core/nearest.h"

namespace fredsim::agg {
namespace {

/// The values of a mapping by key, each known and given once, with messages that say where.
class TopologyReader {
 public:
  explicit TopologyReader(std::string file) : file_(std::move(file)) {}

  std::string place(const YAML::Node& node) const {
    const YAML::Mark mark = node.Mark();
    return mark.is_null() ? file_ : fmt::format("{}:{}:{}", file_, mark.line + 1, mark.column + 1);
  }

  [[noreturn]] void refuse(const YAML::Node& node, const std::string& what) const {
    throw hw::InputError(fmt::format("{}: {}", place(node), what));
  }

  std::map<std::string, YAML::Node> mapping(const YAML::Node& node, const std::string& of,
                                            const std::vector<std::string>& known) const {
    if (!node.IsMap()) {
      refuse(node, fmt::format("{} is a mapping with the keys {}", of, fmt::join(known, ", ")));
    }
    std::map<std::string, YAML::Node> values;
    for (const auto& member : node) {
      if (!member.first.IsScalar()) refuse(member.first, "a key is a plain word");
      const std::string key = member.first.Scalar();
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        refuse(member.first, fmt::format("unknown key '{}'{}; {} has {}", key.substr(0, 40),
                                         hw::did_you_mean(key, known), of, fmt::join(known, ", ")));
      }
      if (!values.emplace(key, member.second).second) {
        refuse(member.first, fmt::format("doubled: the key {} is given before", key));
      }
    }
    return values;
  }

  std::vector<YAML::Node> list(const YAML::Node& node, const std::string& key) const {
    if (!node.IsSequence()) refuse(node, key + ": a list is due");
    return {node.begin(), node.end()};
  }

  const std::string& word(const YAML::Node& node, const std::string& key) const {
    if (!node.IsScalar()) refuse(node, key + ": one value is due");
    return node.Scalar();
  }

  template <class Parse>
  auto quantity(const YAML::Node& node, const std::string& key, Parse parse) const {
    try {
      return parse(word(node, key));
    } catch (const hw::InputError& error) {
      const std::string what = error.what();
      if (what.rfind(file_, 0) == 0) throw;
      refuse(node, fmt::format("{}: {}", key, what));
    }
  }

  bool boolean(const YAML::Node& node, const std::string& key) const {
    const std::string& text = word(node, key);
    if (text != "true" && text != "false") refuse(node, key + ": true or false is due");
    return text == "true";
  }

  const YAML::Node& needed(const YAML::Node& at, const std::map<std::string, YAML::Node>& values,
                           const std::string& key) const {
    const auto found = values.find(key);
    if (found == values.end()) refuse(at, key + " is missing; it is required");
    return found->second;
  }

 private:
  std::string file_;
};

void add_site(TopologyBuilder& builder, const TopologyReader& read, const YAML::Node& entry) {
  if (entry.IsScalar()) {
    builder.add_site(read.place(entry), entry.Scalar(), std::nullopt);
    return;
  }
  const auto values = read.mapping(entry, "a site", {"name", "access"});
  const YAML::Node& name = read.needed(entry, values, "name");
  std::optional<hw::Bandwidth> access;
  if (values.count("access") > 0) access = read.quantity(values.at("access"), "access", hw::parse_bandwidth);
  builder.add_site(read.place(name), read.word(name, "name"), access);
}

void add_link(TopologyBuilder& builder, const TopologyReader& read, const YAML::Node& entry) {
  const auto values =
      read.mapping(entry, "a link", {"from", "to", "latency", "bandwidth", "source", "directed"});
  const auto end = [&](const char* key) {
    const YAML::Node& node = read.needed(entry, values, key);
    return builder.node(read.place(node), read.word(node, key));
  };
  WanLink link;
  link.from = end("from");
  link.to = end("to");
  link.latency = read.quantity(read.needed(entry, values, "latency"), "latency", hw::parse_time);
  link.bandwidth = read.quantity(read.needed(entry, values, "bandwidth"), "bandwidth", hw::parse_bandwidth);
  if (values.count("source") > 0) link.source = read.word(values.at("source"), "source");
  const bool directed = values.count("directed") > 0 && read.boolean(values.at("directed"), "directed");
  builder.add_link(read.place(entry), link, !directed);
}

}  // namespace

Topology parse_topology_yaml(const std::string& text, const std::string& name) {
  const TopologyReader read(name);
  TopologyBuilder builder(name);
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() != 1 || documents.front().IsNull()) {
      throw hw::InputError(
          fmt::format("{}:1:1: one YAML document is due, with the keys sites and links", name));
    }
    const YAML::Node& root = documents.front();
    const auto values = read.mapping(root, "a topology", {"name", "sites", "routers", "links"});
    if (values.count("name") > 0) builder.set_name(read.word(values.at("name"), "name"));
    for (const YAML::Node& entry : read.list(read.needed(root, values, "sites"), "sites")) {
      add_site(builder, read, entry);
    }
    if (values.count("routers") > 0) {
      for (const YAML::Node& entry : read.list(values.at("routers"), "routers")) {
        builder.add_router(read.place(entry), read.word(entry, "routers"));
      }
    }
    for (const YAML::Node& entry : read.list(read.needed(root, values, "links"), "links")) {
      add_link(builder, read, entry);
    }
  } catch (const YAML::Exception& error) {
    const std::string place = error.mark.is_null()
                                  ? name
                                  : fmt::format("{}:{}:{}", name, error.mark.line + 1, error.mark.column + 1);
    throw hw::InputError(fmt::format("{}: YAML syntax error: {}", place, error.msg));
  }
  return builder.finish();
}

}  // namespace fredsim::agg
