#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "switch/route/search.h"

namespace fredsim::tb {

/// The ports of a flow at one switch; the same for every flow among the same NPUs. Index into Shapes.
using ShapeId = std::uint32_t;
/// Shapes that are to be routed together, ascending.
using ShapeSet = std::vector<ShapeId>;

/// Every distinct shape among the flows of a switch of up to 64 ports (sw::max_ports), and which of them
/// share no port.
class Shapes {
 public:
  ShapeId add(const sw::PortFlow& ports);

  const sw::PortFlow& operator[](ShapeId s) const { return shapes_[s].ports; }
  std::size_t size() const { return shapes_.size(); }

  /// Ports in use, a bit each.
  struct Mask {
    std::uint64_t inputs = 0;
    std::uint64_t outputs = 0;
    bool disjoint(const Mask& other) const {
      return (inputs & other.inputs) == 0 && (outputs & other.outputs) == 0;
    }
    void operator|=(const Mask& other) {
      inputs |= other.inputs;
      outputs |= other.outputs;
    }
  };
  const Mask& mask(ShapeId s) const { return shapes_[s].mask; }

 private:
  struct Shape {
    sw::PortFlow ports;
    Mask mask;
  };
  std::vector<Shape> shapes_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, ShapeId> ids_;
};

/// The routing search with a memory: a trace asks for the same few sets again and again.
class RoutingMemory {
 public:
  RoutingMemory(const sw::Structure& structure, const Shapes& shapes)
      : structure_(structure), shapes_(shapes) {}

  /// The routing of shapes with disjoint ports, without explanations; route i is that of set[i].
  const sw::RoutingAnswer& find(const ShapeSet& set);
  bool routes(const ShapeSet& set) { return find(set).routed(); }
  /// The same with the reasons of a conflict.
  const sw::RoutingAnswer& explain(const ShapeSet& set);

  const sw::Structure& structure() const { return structure_; }

 private:
  std::vector<sw::PortFlow> ports_of(const ShapeSet& set) const;

  const sw::Structure& structure_;
  const Shapes& shapes_;
  std::map<ShapeSet, sw::RoutingAnswer> found_;
  std::map<ShapeSet, sw::RoutingAnswer> explained_;
};

/// `set` with `shape` in its place; unchanged when it is there already.
ShapeSet with(ShapeSet set, ShapeId shape);

}  // namespace fredsim::tb
