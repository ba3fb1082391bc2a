#include "hw/core/error.h"
#include "tb/configuration/configuration.h"

namespace fredsim::tb {

sw::TreeShape Configuration::tree_shape() const {
  if (system == SystemKind::mesh || system == SystemKind::wan) {
    throw hw::InternalError("a mesh or a WAN is no tree");
  }
  if (system == SystemKind::single_switch) return sw::single_switch(sw.ports);
  sw::TreeShape shape;
  shape.leaf_npus = tree.leaf_npus;
  shape.upper.assign(tree.upper.begin() + 1, tree.upper.begin() + tree.levels);
  shape.io_controllers = tree.io_controllers;
  return shape;
}

}  // namespace fredsim::tb
