#include <gtest/gtest.h>

#include "hw/core/dtype.h"
#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "hw/core/records.h"

namespace fredsim::hw {
namespace {

TEST(Names, EveryNameParsesBack) {
  for (const DType d : {DType::fp16, DType::bf16, DType::fp32, DType::int32})
    EXPECT_EQ(parse_dtype(to_string(d)), d);
  for (const ReduceOp op : {ReduceOp::sum, ReduceOp::min, ReduceOp::max})
    EXPECT_EQ(parse_reduce_op(to_string(op)), op);
  for (const TrafficClass c : {TrafficClass::mp, TrafficClass::pp, TrafficClass::dp}) {
    EXPECT_EQ(parse_traffic_class(to_string(c)), c);
    EXPECT_EQ(to_string(channel_of(c)), to_string(c));
  }
  EXPECT_EQ(to_string(VirtualChannel::control), "control");
  EXPECT_EQ(operation_type_names().size(), 14u);
  for (std::size_t i = 0; i < operation_type_names().size(); ++i) {
    const auto type = static_cast<OperationType>(i);
    EXPECT_EQ(to_string(type), operation_type_names()[i]);
    EXPECT_EQ(parse_operation_type(to_string(type)), type);
  }
}

TEST(Names, SpotChecks) {
  EXPECT_EQ(to_string(DType::bf16), "bf16");
  EXPECT_EQ(to_string(ReduceOp::max), "max");
  EXPECT_EQ(to_string(OperationType::all_to_all), "all_to_all");
  EXPECT_EQ(to_string(OperationType::barrier), "barrier");
  EXPECT_EQ(size_of(DType::fp16), 2u);
  EXPECT_EQ(size_of(DType::int32), 4u);
}

TEST(Names, UnknownNamesAreNoValue) {
  EXPECT_FALSE(parse_dtype("FP16"));
  EXPECT_FALSE(parse_dtype(""));
  EXPECT_FALSE(parse_reduce_op("avg"));
  EXPECT_FALSE(parse_traffic_class("control"));
  EXPECT_FALSE(parse_operation_type("allreduce"));
}

TEST(Nearest, FindsTheLikelyWord) {
  const std::vector<std::string>& types = operation_type_names();
  EXPECT_EQ(nearest("allreduce", types), "all_reduce");
  EXPECT_EQ(nearest("al_reudce", types), "all_reduce");
  EXPECT_EQ(nearest("AllReduce", types), "all_reduce");
  EXPECT_EQ(nearest("brodcast", types), "broadcast");
  EXPECT_EQ(nearest("BARRIER", types), "barrier");
  EXPECT_EQ(nearest("sned", types), "send");
  EXPECT_EQ(nearest("receive", types), "");
  EXPECT_EQ(nearest("frobnicate", types), "");
}

TEST(Nearest, PrefersTheSameLettersAndThenTheFirst) {
  EXPECT_EQ(nearest("gb", {"TB", "Gb", "GB"}), "Gb");
  EXPECT_EQ(nearest("mat", {"cat", "bat"}), "cat");
  EXPECT_EQ(nearest("bat", {"cat", "bat"}), "bat");
}

TEST(Nearest, KeepsSomethingOfTheWord) {
  EXPECT_EQ(nearest("x", {"a", "yz"}), "");
  EXPECT_EQ(nearest("", {"a", "ab"}), "");
  EXPECT_EQ(nearest("word", {}), "");
  EXPECT_EQ(did_you_mean("packet.byte", {"packet.bytes"}), " (did you mean 'packet.bytes'?)");
  EXPECT_EQ(did_you_mean("zzz", {"packet.bytes"}), "");
}

TEST(Shard, CutsEverythingIntoNearlyEqualParts) {
  for (std::uint64_t ranks = 1; ranks <= 21; ++ranks) {
    for (std::uint64_t count = 0; count <= 50; ++count) {
      std::uint64_t end = 0;
      for (std::uint64_t r = 0; r < ranks; ++r) {
        const Range range = shard(count, ranks, r);
        EXPECT_EQ(range.begin, end);
        EXPECT_EQ(range.begin, r * count / ranks);
        EXPECT_EQ(range.end, (r + 1) * count / ranks);
        end = range.end;
      }
      EXPECT_EQ(end, count);
    }
  }
}

TEST(Shard, LargeCountsDoNotOverflow) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(shard(most, 20, 19).end, most);
  EXPECT_EQ(shard(most, 5, 3).begin, most / 5 * 3);  // 2^64 - 1 is divisible by 5
  EXPECT_EQ(shard(most, 1, 0).size(), most);
  EXPECT_THROW(shard(10, 0, 0), InternalError);
  EXPECT_THROW(shard(10, 4, 4), InternalError);
}

}  // namespace
}  // namespace fredsim::hw
