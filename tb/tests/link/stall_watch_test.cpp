// What waits longer than a limit is told of, and watching changes nothing else.
#include "hw/link/stall_watch.h"

#include <gtest/gtest.h>

#include "tb/tests/link/bench.h"

namespace fredsim::test {
namespace {

using hw::Time;

TEST(StallWatch, DoesNotOutlastWhatItWatches) {
  Bench bench;
  hw::StallWatch watch("watch", bench.recorder, ns(1000));
  simulate([&] {
    const auto first = watch.begins(ns(0));
    const auto second = watch.begins(ns(1));
    wait_until(ns(2));
    watch.ends(second, ns(2));
    wait_until(ns(3));
    watch.ends(first, ns(4));
  });
  EXPECT_EQ(hw::now(), ns(3));
}

TEST(StallWatch, TellsWhenTheLimitOfTheOldestThatStillWaitsPasses) {
  Bench bench;
  hw::StallWatch watch("watch", bench.recorder, ns(10));
  simulate([&] {
    const auto first = watch.begins(ns(0));
    watch.begins(ns(5));
    wait_until(ns(10));
    watch.ends(first, ns(10));  // not longer than the limit
  });
  EXPECT_EQ(hw::now(), ns(15) + Time::fs(1));
}

TEST(StallWatch, TakesTheLongestLimit) {
  Bench bench;
  hw::StallWatch watch("watch", bench.recorder, Time::max());
  simulate([&] {
    watch.begins(ns(0));
    wait_until(ns(5));
    watch.ends(watch.begins(ns(5)), ns(6));
  });
  EXPECT_EQ(hw::now(), ns(5));
}

}  // namespace
}  // namespace fredsim::test
