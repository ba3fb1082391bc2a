#include "tb/cli/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <sstream>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "hw/core/quantity.h"
#include "tb/configuration/problems.h"
#include "tb/configuration/value_text.h"
#include "tb/configuration/yaml_mapping.h"

namespace fredsim::tb {
namespace {

double number(const YamlNode& node) {
  const double value = parse_real(scalar_of(node, "a number"));
  if (!(value >= 0) || value > 1e24)
    throw hw::InputError(fmt::format("{} is out of range; allowed: 0 to 1e24", in_quotes(node.text)));
  return value;
}

std::uint32_t count(const YamlNode& node, std::uint64_t least, std::uint64_t most) {
  const std::uint64_t value = parse_integer(scalar_of(node, "a whole number"));
  if (value < least || value > most)
    throw hw::InputError(fmt::format("{} is out of range; allowed: {} to {}", value, least, most));
  return static_cast<std::uint32_t>(value);
}

bool truth(const YamlNode& node) {
  return parse_boolean(scalar_of(node, "true or false"));
}

class Reader {
 public:
  trace::Model read(const YamlNode& root) {
    trace::Model model;
    const YamlNode* transformer = nullptr;
    const YamlNode* layers = nullptr;
    mapping(root, root.place, "",
            {{"name", true, [&](const YamlNode& v) { model.name = scalar_of(v, "a name"); }},
             {"input", false,
              [&](const YamlNode& v) { model.input_bytes = hw::parse_bytes(scalar_of(v, "a size")); }},
             {"transformer", false, [&](const YamlNode& v) { transformer = &v; }},
             {"layers", false, [&](const YamlNode& v) { layers = &v; }}});
    if (transformer && layers) {
      problems_.add(layers->place, "layers",
                    "doubled: transformer gives the layers; one of the two is allowed");
    } else if (transformer) {
      read_transformer(*transformer, model);
    } else if (layers) {
      read_layers(*layers, model);
    } else {
      problems_.add(root.place, "layers", "is missing; layers or transformer is required");
    }
    problems_.throw_if_any();
    return model;
  }

 private:
  void mapping(const YamlNode& node, const std::string& place, const std::string& of,
               const std::vector<YamlKey>& keys) {
    read_mapping(node, place, of, keys, problems_);
  }

  void read_transformer(const YamlNode& node, trace::Model& model) {
    std::uint32_t layers = 1, hidden = 1, sequence = 1;
    bool recompute = false;
    mapping(node, node.place, "transformer",
            {{"layers", true, [&](const YamlNode& v) { layers = count(v, 1, 100'000); }},
             {"hidden", true, [&](const YamlNode& v) { hidden = count(v, 1, 10'000'000); }},
             {"sequence", true, [&](const YamlNode& v) { sequence = count(v, 1, 10'000'000); }},
             {"recompute", false, [&](const YamlNode& v) { recompute = truth(v); }}});
    model.layers = trace::transformer_layers(layers, hidden, sequence, recompute);
  }

  void read_layers(const YamlNode& node, trace::Model& model) {
    if (node.kind != YamlNode::Kind::sequence || node.items.empty()) {
      problems_.add(node.place, "layers", "a list of one layer or more is due here");
      return;
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const YamlNode& item = node.items[i];
      trace::Layer layer;
      mapping(item, item.place, fmt::format("layers[{}]", i),
              {{"name", false, [&](const YamlNode& v) { layer.name = scalar_of(v, "a name"); }},
               {"count", false, [&](const YamlNode& v) { layer.count = count(v, 1, 100'000); }},
               {"parameters", true, [&](const YamlNode& v) { layer.parameters = number(v); }},
               {"flops", true, [&](const YamlNode& v) { layer.flops = number(v); }},
               {"output", true, [&](const YamlNode& v) { layer.output = number(v); }},
               {"activations", false, [&](const YamlNode& v) { layer.activations = number(v); }},
               {"all_reduces", false, [&](const YamlNode& v) { layer.all_reduces = count(v, 0, 100); }},
               {"recompute", false, [&](const YamlNode& v) { layer.recompute = truth(v); }}});
      model.layers.push_back(std::move(layer));
    }
  }

  Problems problems_;
};

}  // namespace

trace::Model parse_model(const std::string& text, const std::string& name) {
  return Reader().read(parse_yaml(text, name));
}

trace::Model load_model(const std::string& name_or_path) {
  std::vector<std::string> names;
  for (const auto& [name, text] : ready_models()) {
    if (name == name_or_path) return parse_model(text, name + ".yaml");
    names.push_back(name);
  }
  std::ifstream in(name_or_path, std::ios::binary);
  std::stringstream text;
  if (!in || !(text << in.rdbuf())) {
    throw hw::InputError(fmt::format("--model: {} is no file that can be read, and no ready model ({}){}",
                                     in_quotes(name_or_path), fmt::join(names, ", "),
                                     hw::did_you_mean(name_or_path, names)));
  }
  return parse_model(text.str(), name_or_path);
}

}  // namespace fredsim::tb
