#include "tb/cost/coefficients.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "tb/configuration/problems.h"
#include "tb/configuration/value_text.h"
#include "tb/configuration/yaml_document.h"

namespace fredsim::tb {
namespace {

struct Key {
  std::string name;  ///< dotted
  double least;      ///< allowed, as is everything up to `most`
  double most;
  double CostCoefficients::*plain = nullptr;
  std::array<double, hw::dtypes> CostCoefficients::*of_dtype = nullptr;
  std::size_t dtype = 0;

  double& in(CostCoefficients& c) const { return plain ? c.*plain : (c.*of_dtype)[dtype]; }
};

/// All keys that there are. A rate or a share of 0 would make a die without end.
const std::vector<Key>& keys() {
  static const std::vector<Key> all = [] {
    using C = CostCoefficients;
    constexpr double most = 1e12, some = 1e-9;
    std::vector<Key> list{{"io.gbytes_per_s_per_mm", some, most, &C::io_gbytes_per_s_per_mm},
                          {"io.edge_share", 0.01, 1, &C::edge_share},
                          {"adder.clock_hz", 1, most, &C::adder_clock_hz}};
    for (std::size_t d = 0; d < hw::dtypes; ++d) {
      const std::string name(to_string(static_cast<hw::DType>(d)));
      list.push_back({"adder.um2." + name, 0, most, nullptr, &C::adder_um2, d});
      list.push_back({"adder.pj." + name, 0, most, nullptr, &C::add_pj, d});
    }
    list.push_back({"memory.um2_per_bit", 0, most, &C::memory_um2_per_bit});
    list.push_back({"logic.scale", 0, most, &C::logic_scale});
    list.push_back({"switch.pj_per_bit", 0, most, &C::switch_pj_per_bit});
    list.push_back({"mesh_router.pj_per_bit", 0, most, &C::router_pj_per_bit});
    list.push_back({"wan_router.pj_per_bit", 0, most, &C::wan_router_pj_per_bit});
    list.push_back({"wan_line.pj_per_bit", 0, most, &C::wan_line_pj_per_bit});
    list.push_back({"aggregator.pj_per_bit", 0, most, &C::aggregator_pj_per_bit});
    return list;
  }();
  return all;
}

class Reader {
 public:
  explicit Reader(CostCoefficients& into) : into_(into) {}

  void mapping(const YamlNode& node, const std::string& prefix) {
    for (const YamlMember& member : node.members) {
      const std::string key = prefix + member.key;
      if (member.value.kind == YamlNode::Kind::mapping) {
        if (is_group(key)) {
          mapping(member.value, key + ".");
        } else {
          unknown(member.place, key);
        }
        continue;
      }
      value(key, member);
    }
  }
  const std::set<std::string>& given() const { return given_; }
  Problems& problems() { return problems_; }

 private:
  static bool is_group(const std::string& key) {
    for (const Key& k : keys()) {
      if (k.name.rfind(key + ".", 0) == 0) return true;
    }
    return false;
  }

  void unknown(const std::string& place, const std::string& key) {
    std::vector<std::string> known;
    for (const Key& k : keys()) known.push_back(k.name);
    problems_.add(place, key.substr(0, 60),
                  is_group(key) ? "is a group of coefficients and takes no value itself"
                                : fmt::format("unknown key{}; allowed: {}", hw::did_you_mean(key, known),
                                              fmt::join(known, ", ")));
  }

  void value(const std::string& key, const YamlMember& member) {
    const Key* found = nullptr;
    for (const Key& k : keys()) {
      if (k.name == key) found = &k;
    }
    if (!found) return unknown(member.place, key);
    if (!given_.insert(key).second) {
      problems_.add(member.place, key, "doubled: the key is given before");
      return;
    }
    try {
      if (member.value.kind != YamlNode::Kind::plain) throw hw::InputError("a number is due here");
      const double number = parse_real(member.value.text);
      if (!(number >= found->least && number <= found->most)) {
        throw hw::InputError(fmt::format("{} is out of range; allowed: {:g} to {:g}", member.value.text,
                                         found->least, found->most));
      }
      found->in(into_) = number;
    } catch (const hw::InputError& error) {
      problems_.add(member.value.place, key, error.what());
    }
  }

  CostCoefficients& into_;
  std::set<std::string> given_;
  Problems problems_;
};

void read(const std::string& text, const std::string& name, bool whole, CostCoefficients& into) {
  Reader reader(into);
  reader.mapping(parse_yaml(text, name), "");
  for (const Key& key : keys()) {
    if (whole && reader.given().count(key.name) == 0)
      reader.problems().add(name + ":1:1", key.name, "is missing");
  }
  reader.problems().throw_if_any();
}

CostCoefficients default_coefficients() {
  CostCoefficients result;
  read(default_cost_text(), "default", true, result);
  result.source = "default";
  return result;
}

}  // namespace

CostCoefficients parse_cost_coefficients(const std::string& text, const std::string& name) {
  CostCoefficients result = default_coefficients();
  read(text, name, false, result);
  result.source = name;
  return result;
}

CostCoefficients cost_coefficients(const Configuration& configuration) {
  const std::string key = "cost.coefficients";
  if (configuration.cost.coefficients == "default") return default_coefficients();
  const std::string path = configuration.path_of(key, configuration.cost.coefficients);
  const auto given = configuration.given.find(key);
  const std::string place = given == configuration.given.end() ? configuration.source : given->second.place;
  std::error_code ignored;
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (std::filesystem::is_directory(path, ignored) || !file || !(text << file.rdbuf())) {
    throw hw::InputError(fmt::format(
        "{}: {}: {} is no file that can be read; allowed: a YAML file of coefficients, or default", place,
        key, path));
  }
  return parse_cost_coefficients(text.str(), path);
}

}  // namespace fredsim::tb
