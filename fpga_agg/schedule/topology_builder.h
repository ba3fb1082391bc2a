#pragma once

#include <map>
#include <string>

#include "fpga_agg/schedule/topology.h"

namespace fredsim::agg {

/// Puts a topology together from what a file says, line by line. Every function takes the place ("file:3:7")
/// it speaks of when it throws InputError.
class TopologyBuilder {
 public:
  explicit TopologyBuilder(std::string source) { topology_.source = std::move(source); }

  void set_name(std::string name) { topology_.name = std::move(name); }
  /// Sites come before routers.
  void add_site(const std::string& place, const std::string& name, std::optional<hw::Bandwidth> access);
  void add_router(const std::string& place, const std::string& name);
  /// The node of this name, or InputError with the nearest one.
  std::uint32_t node(const std::string& place, const std::string& name) const;
  bool has(const std::string& name) const { return numbers_.count(name) > 0; }
  void add_link(const std::string& place, const WanLink& link, bool both_ways);
  Topology finish();

 private:
  std::uint32_t add_node(const std::string& place, const std::string& name);

  Topology topology_;
  std::map<std::string, std::uint32_t> numbers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> linked_;  ///< and at which place
};

}  // namespace fredsim::agg
