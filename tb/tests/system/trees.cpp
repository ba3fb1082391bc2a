#include "tb/tests/system/trees.h"

#include <fmt/format.h>

#include "tb/tests/cli/program.h"
#include "tb/tests/support/folder.h"

namespace fredsim::tb::test {

std::string fred_d() {
  return read_file(configuration("fred_d"));
}

std::string fred_b() {
  return read_file(configuration("fred_b"));
}

std::string tree_1024() {
  return read_file(configuration("tree_1024"));
}

std::string configuration_text(const sw::TreeShape& shape) {
  std::string text = fmt::format("system: tree\ntree:\n  levels: {}\n  leaf_npus: {}\n  io_controllers: {}\n",
                                 shape.levels(), shape.leaf_npus, shape.io_controllers);
  for (std::size_t i = 0; i < shape.upper.size(); ++i) {
    text += fmt::format("  l{0}.children: {1}\n  l{0}.planes: {2}\n", i + 2, shape.upper[i].children,
                        shape.upper[i].planes);
  }
  return text;
}

sw::TreeShape wafer() {
  sw::TreeShape shape;
  shape.leaf_npus = 4;
  shape.upper = {{5, 4}};
  shape.io_controllers = 18;
  return shape;
}

sw::TreeShape three_levels() {
  sw::TreeShape shape;
  shape.leaf_npus = 4;
  shape.upper = {{3, 2}, {2, 2}};
  return shape;
}

sw::TreeShape random_tree(Random& random, std::uint32_t levels) {
  for (;;) {
    sw::TreeShape shape;
    shape.leaf_npus = 1 + random.below(5);
    for (std::uint32_t level = 2; level <= levels; ++level) {
      shape.upper.push_back({1 + random.below(4), 1 + random.below(3)});
    }
    shape.io_controllers = random.below(9);
    // The root's switches have no ports but those to their children.
    if (shape.upper.back().children == 1 || shape.npus() < 8 || shape.npus() > 24 || shape.switches() > 40)
      continue;
    return shape;
  }
}

}  // namespace fredsim::tb::test
