#include "tb/verify/coverage.h"

#include <gtest/gtest.h>

#include "hw/core/error.h"

namespace fredsim::tb {
namespace {

Coverage two_dimensions() {
  return Coverage({{"collective", {"reduce", "barrier"}}, {"dtype", {"fp16", "none"}}});
}

TEST(Coverage, NamesEmptyBins) {
  Coverage coverage = two_dimensions();
  EXPECT_EQ(coverage.empty_bins().size(), 8u);
  coverage.hit({"reduce", "fp16"});
  EXPECT_EQ(coverage.empty_bins(),
            (std::vector<std::string>{"collective=barrier", "dtype=none", "collective=reduce dtype=none",
                                      "collective=barrier dtype=fp16", "collective=barrier dtype=none"}));
  coverage.hit({"barrier", "none"});
  coverage.exclude({"collective", "barrier"}, {"dtype", "fp16"});
  coverage.exclude({"dtype", "none"}, {"collective", "reduce"});
  EXPECT_TRUE(coverage.empty_bins().empty());
}

TEST(Coverage, CountsValuesAndPairs) {
  Coverage coverage = two_dimensions();
  coverage.hit({"reduce", "fp16"});
  coverage.hit({"reduce", "none"});
  coverage.hit({"reduce", "none"});
  EXPECT_EQ(coverage.hits({"collective", "reduce"}), 3u);
  EXPECT_EQ(coverage.hits({"dtype", "none"}), 2u);
  EXPECT_EQ(coverage.hits({"dtype", "none"}, {"collective", "reduce"}), 2u);
  EXPECT_EQ(coverage.hits({"collective", "barrier"}), 0u);
}

TEST(Coverage, RefusesWhatWasNotDeclared) {
  Coverage coverage = two_dimensions();
  coverage.exclude({"collective", "barrier"}, {"dtype", "fp16"});
  EXPECT_THROW(coverage.hit({"reduce"}), hw::InternalError);
  EXPECT_THROW(coverage.hit({"reduce", "fp64"}), hw::InternalError);
  EXPECT_THROW(coverage.hit({"barrier", "fp16"}), hw::InternalError);
  EXPECT_THROW(coverage.hits({"fault", "none"}), hw::InternalError);
  EXPECT_THROW(coverage.exclude({"dtype", "none"}, {"dtype", "fp16"}), hw::InternalError);
}

}  // namespace
}  // namespace fredsim::tb
