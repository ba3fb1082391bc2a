#include <gtest/gtest.h>

#include <string>

#include "hw/core/error.h"
#include "tb/plan/plan.h"
#include "tb/tests/plan/workloads.h"

namespace fredsim::tb {
namespace {

using hw::OperationId;
using hw::OperationType;
using testing::WorkloadBuilder;

std::string message_of(WorkloadBuilder& b, const PlanOptions& options = {}) {
  try {
    make_plan(b.workload(), options);
  } catch (const hw::InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(PlanMessages, MoreNpusThanPorts) {
  WorkloadBuilder b(20);
  EXPECT_EQ(message_of(b), "test.jsonl: the trace is for 20 NPUs, but the system has 8");
}

TEST(PlanMessages, NoIoControllers) {
  WorkloadBuilder b;
  b.add("c", OperationType::compute, {0});
  b.add("weights", OperationType::load, {0, 1}, 100);
  EXPECT_EQ(message_of(b),
            "test.jsonl:3: operation \"weights\": load needs I/O controllers, and this system has none");
}

TEST(PlanMessages, UnknownAlgorithm) {
  WorkloadBuilder b;
  b.at(b.add("a", OperationType::all_reduce, {0, 1}, 100)).algorithm = "rings";
  EXPECT_EQ(
      message_of(b),
      "test.jsonl:2: operation \"a\": algorithm \"rings\" is not available; allowed: auto, in-network, ring, "
      "bidirectional-ring, hierarchical-ring, hierarchical-2d, direct, halving-doubling (did you mean "
      "'ring'?)");
  for (const std::string& name : algorithm_choice_names()) {
    b.workload().operations[0].algorithm = name;
    EXPECT_EQ(message_of(b), "no error");
  }
}

TEST(PlanMessages, FlopsWithoutASpeed) {
  WorkloadBuilder b;
  b.at(b.add("c", OperationType::compute, {0})).flops = 1e12;
  EXPECT_EQ(message_of(b),
            "test.jsonl:2: operation \"c\": flops are given, but npu.flops, how many an NPU does in a "
            "second, is not");
}

TEST(PlanMessages, FlopsThatTakeForEver) {
  WorkloadBuilder b;
  b.at(b.add("c", OperationType::compute, {0})).flops = 1e24;
  PlanOptions options;
  options.npu_flops = 1;
  EXPECT_NE(message_of(b, options).find("operation \"c\": 1e+24 flops at 1 a second take longer than "),
            std::string::npos);
}

TEST(PlanMessages, MoreBytesThanOffsetsCount) {
  WorkloadBuilder b;
  b.add("g", OperationType::all_gather, {0, 1, 2, 3}, std::uint64_t{1} << 62);
  EXPECT_EQ(message_of(b),
            "test.jsonl:2: operation \"g\": 4611686018427387904 bytes for each of 4 members are more than "
            "9223372036854775807 in all");
}

TEST(PlanMessages, PacketWithoutRoom) {
  WorkloadBuilder b;
  PlanOptions options;
  options.packet.bytes = 9;
  EXPECT_EQ(message_of(b, options),
            "packet.bytes: 9 bytes with a header of 6 hold no element of 4 bytes; allowed: 10 or more");
}

/// FRED_2(8) with all-reduces {0,2} {1,5} {3,4} {6,7}: the first three form a triangle, so that two colors
/// fail.
TEST(PlanMessages, Conflict) {
  WorkloadBuilder b;
  b.add("a", OperationType::all_reduce, {0, 2}, 100);
  b.add("b", OperationType::all_reduce, {1, 5}, 100);
  b.add("c", OperationType::all_reduce, {3, 4}, 100);
  b.add("d", OperationType::all_reduce, {6, 7}, 100);
  PlanOptions options;
  options.middle = 2;
  EXPECT_EQ(
      message_of(b, options),
      "test.jsonl:4: operation \"c\": \"a\", \"b\", \"c\" can be in flight at the same time, but "
      "switch (FRED_2(8)) cannot "
      "route their flows 0,2>0,2 1,5>1,5 3,4>3,4 together (level 0). What helps: switch.middle: 3; the "
      "NPUs of "
      "ports 1 and 4 exchanged; switch.conflict: block (they take turns) or decompose (their members do it)");
  options.middle = 3;
  EXPECT_EQ(message_of(b, options), "no error");
}

TEST(PlanMessages, RouteMemoryTooSmall) {
  WorkloadBuilder b;
  b.add("g", OperationType::all_gather, {0, 1, 2}, 100);
  PlanOptions options;
  options.route_memory = hw::Capacity::bytes(29);  // 116 bits a set: two sets
  EXPECT_EQ(message_of(b, options),
            "test.jsonl: at switch, 3 different flows need 3 route sets of FRED_3(8) at 116 bits each, but "
            "switch.route_memory, 29 B, holds 2; 44 B would do, or switch.route_miss: reload");
  options.route_memory = hw::Capacity::bytes(44);
  EXPECT_EQ(message_of(b, options), "no error");
  options.route_memory = hw::Capacity::bytes(15);
  options.route_miss = RouteMiss::reload;
  EXPECT_EQ(message_of(b, options), "no error");
  options.route_memory = hw::Capacity::bytes(14);
  EXPECT_EQ(
      message_of(b, options),
      "test.jsonl: at switch, one route set of FRED_3(8) takes 116 bits, but switch.route_memory, 14 B, "
      "holds 112; 15 B would do");
}

}  // namespace
}  // namespace fredsim::tb
