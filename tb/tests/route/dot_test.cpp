#include "switch/route/dot.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tb/tests/route/oracle.h"

namespace fredsim::sw {
namespace {

using test::all_reduce;

std::size_t lines_with(const std::string& text, const std::string& first, const std::string& second = "") {
  std::istringstream in(text);
  std::size_t count = 0;
  for (std::string line; std::getline(in, line);) {
    count += line.find(first) != std::string::npos && line.find(second) != std::string::npos;
  }
  return count;
}

TEST(Dot, EveryWireOnceAndThoseInUseInTheirFlowsColor) {
  const Structure structure(8, 3);
  const std::vector<PortFlow> flows = {all_reduce({0, 2}), all_reduce({1, 5})};
  const RoutingAnswer answer = route(structure, flows);
  ASSERT_TRUE(answer.routed());
  const std::string picture = to_dot(structure, flows, {answer.routes[0], answer.routes[1]});

  std::size_t wires = structure.ports();
  for (const Element& element : structure.elements()) wires += element.outputs;
  EXPECT_EQ(lines_with(picture, "\" -> \"", "color="), wires);
  // Each has two inputs and outputs, two wires on each side of the outer level as far as the reduction.
  EXPECT_EQ(lines_with(picture, "\"in0\" -> \"r0\"", "penwidth"), 1u);
  EXPECT_EQ(lines_with(picture, "\"in3\" -> \"r1\"", "penwidth"), 0u);
  // Ports 0 and 2 meet in the second stage, ports 1 and 5 in the third.
  EXPECT_EQ(lines_with(picture, "label=\"m0.r0\\nreduce\""), 1u);
  EXPECT_EQ(lines_with(picture, "label=\"m0.d0\\ncopy\""), 1u);
  EXPECT_EQ(lines_with(picture, "\\nreduce+copy\""), 1u);
  EXPECT_EQ(lines_with(picture, "\" -> \"", "penwidth"), (2u + 2 + 1 + 1 + 2 + 2) + (2u + 2 + 2 + 2 + 2 + 2));
}

TEST(Dot, FlowsWithoutARouteAreOnlyListed) {
  const std::string picture = to_dot(Structure(4, 2), {all_reduce({0, 2})}, {std::nullopt});
  EXPECT_EQ(lines_with(picture, "penwidth"), 0u);
  EXPECT_EQ(lines_with(picture, "0,2 &#8594; 0,2", "not routed"), 1u);
}

}  // namespace
}  // namespace fredsim::sw
