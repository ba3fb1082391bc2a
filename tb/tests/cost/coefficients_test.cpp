#include "tb/cost/coefficients.h"

#include <gtest/gtest.h>

#include "hw/core/error.h"

namespace fredsim::tb {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_cost_coefficients(text, "c.yaml");
  } catch (const hw::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CostCoefficients, KeepTheDefaultOfWhatAFileLeavesOut) {
  const CostCoefficients c =
      parse_cost_coefficients("adder:\n  pj.fp16: 0.1\nio: {edge_share: 1}\n", "c.yaml");
  EXPECT_EQ(c.source, "c.yaml");
  EXPECT_DOUBLE_EQ(c.add_pj[0], 0.1);
  EXPECT_DOUBLE_EQ(c.edge_share, 1);
  EXPECT_DOUBLE_EQ(c.io_gbytes_per_s_per_mm, 107.4);
  EXPECT_DOUBLE_EQ(c.add_pj[2], 0.9);
}

TEST(CostCoefficients, RefuseWhatTheyDoNotKnow) {
  EXPECT_NE(refusal("adder: {pj: {fp61: 1}}")
                .find("c.yaml:1:14: adder.pj.fp61: unknown key (did you mean "
                      "'adder.pj.fp16'?)"),
            std::string::npos)
      << refusal("adder: {pj: {fp61: 1}}");
  EXPECT_NE(refusal("adder: 3").find("adder: is a group"), std::string::npos);
  EXPECT_NE(refusal("adder: {clock_hz: {a: 1}}").find("adder.clock_hz: unknown key"), std::string::npos);
  EXPECT_NE(refusal("io: {edge_share: 1.5}").find("1.5 is out of range; allowed: 0.01 to 1"),
            std::string::npos);
  EXPECT_NE(refusal("switch: {pj_per_bit: -1}").find("out of range"), std::string::npos);
  EXPECT_NE(refusal("switch: {pj_per_bit: nan}").find("switch.pj_per_bit"), std::string::npos);
  EXPECT_NE(refusal("switch: {pj_per_bit: 1}\nswitch.pj_per_bit: 2").find("doubled"), std::string::npos);
  EXPECT_NE(refusal("switch: {pj_per_bit: [1]}").find("a number is due"), std::string::npos);
  // All of them at once.
  const std::string both = refusal("io: {edge_share: 7}\nmemory: {um2_per_bit: x}");
  EXPECT_NE(both.find("io.edge_share"), std::string::npos);
  EXPECT_NE(both.find("memory.um2_per_bit"), std::string::npos);
}

TEST(CostCoefficients, AFileIsRelativeToItsConfiguration) {
  const Configuration c =
      parse_configuration("system: switch\ncost.coefficients: none.yaml\n", "/there/c.yaml");
  try {
    cost_coefficients(c);
    FAIL();
  } catch (const hw::InputError& error) {
    EXPECT_NE(
        std::string(error.what()).find("/there/c.yaml:2:20: cost.coefficients: /there/none.yaml is no file"),
        std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace fredsim::tb
