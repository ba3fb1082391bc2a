#pragma once

#include <gtest/gtest.h>

#include "hw/core/records.h"

namespace fredsim::trace::testing {

/// All that a trace says; not from where it came.
inline void expect_equal(const hw::Workload& a, const hw::Workload& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.npus, b.npus);
  ASSERT_EQ(a.memory.has_value(), b.memory.has_value());
  if (a.memory) {
    EXPECT_EQ(a.memory->weights, b.memory->weights);
    EXPECT_EQ(a.memory->gradients, b.memory->gradients);
    EXPECT_EQ(a.memory->optimizer, b.memory->optimizer);
    EXPECT_EQ(a.memory->activations, b.memory->activations);
  }
  ASSERT_EQ(a.operations.size(), b.operations.size());
  for (std::size_t i = 0; i < a.operations.size(); ++i) {
    const hw::Operation &x = a.operations[i], &y = b.operations[i];
    SCOPED_TRACE(x.id);
    EXPECT_EQ(x.id, y.id);
    EXPECT_EQ(x.type, y.type);
    EXPECT_EQ(x.npus, y.npus);
    EXPECT_EQ(x.bytes, y.bytes);
    EXPECT_EQ(x.traffic_class, y.traffic_class);
    EXPECT_EQ(x.op, y.op);
    EXPECT_EQ(x.dtype, y.dtype);
    EXPECT_EQ(x.root, y.root);
    EXPECT_EQ(x.peer, y.peer);
    EXPECT_EQ(x.tag, y.tag);
    EXPECT_EQ(x.partner, y.partner);
    EXPECT_EQ(x.duration, y.duration);
    EXPECT_EQ(x.flops, y.flops);
    EXPECT_EQ(x.algorithm, y.algorithm);
    EXPECT_EQ(x.mode, y.mode);
    EXPECT_EQ(x.after, y.after);
    EXPECT_EQ(x.after_all, y.after_all);
  }
}

}  // namespace fredsim::trace::testing
