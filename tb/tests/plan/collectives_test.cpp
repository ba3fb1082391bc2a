#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "hw/core/error.h"
#include "tb/plan/expected_traffic.h"
#include "tb/plan/plan.h"
#include "tb/tests/plan/workloads.h"

namespace fredsim::tb {
namespace {

using hw::NpuId;
using hw::OperationId;
using hw::OperationType;
using testing::WorkloadBuilder;

/// Bytes as symbols: byte `offset` of what an NPU contributes is a number that no other byte shares; a
/// reduction of bytes is their sum, whatever the order.
std::uint64_t symbol(NpuId npu, std::uint64_t offset) {
  std::uint64_t x = (offset << 8 | npu.value) + 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

using Buffer = std::vector<std::optional<std::uint64_t>>;

/// A network that carries out the programs of one operation on symbols.
class SymbolNetwork {
 public:
  explicit SymbolNetwork(const Plan& plan) : plan_(plan) {
    for (const accel::Program& program : plan.programs) {
      for (const accel::Part& part : program.parts) {
        for (const accel::SendStream& send : part.sends) sends_[{send.flow, program.npu}] = send;
        for (std::size_t i = 1; i < part.sends.size(); ++i) {
          EXPECT_LT(part.sends[i - 1].flow, part.sends[i].flow) << "an older flow after a younger one";
        }
      }
    }
    for (const accel::Program& program : plan.programs) {
      for (const accel::Part& part : program.parts) {
        for (const accel::ReceiveStream& receive : part.receives) deliver(program.npu, part, receive);
      }
    }
    EXPECT_TRUE(sends_.empty()) << "a stream is sent that is in no flow";
  }

  /// What arrived at an NPU; empty where nothing did.
  Buffer result(NpuId npu, std::uint64_t size) {
    Buffer buffer = results_[npu];
    EXPECT_LE(buffer.size(), size);
    buffer.resize(size);
    return buffer;
  }

 private:
  using Key = std::pair<hw::FlowId, NpuId>;

  void deliver(NpuId npu, const accel::Part& part, const accel::ReceiveStream& receive) {
    const hw::Flow& flow = plan_.flows[receive.flow.value];
    EXPECT_EQ(std::count(flow.destinations.begin(), flow.destinations.end(), npu), 1);
    if (part.type == OperationType::barrier) {
      EXPECT_FALSE(flow.reduces);
      EXPECT_EQ(receive.packets, 1u);
    } else {
      EXPECT_EQ(flow.reduces, flow.sources.size() > 1);
      EXPECT_EQ(receive.packets, count_packets(receive.bytes, part.element_bytes));
    }
    Buffer& buffer = results_[npu];
    if (buffer.size() < receive.first_byte + receive.bytes) buffer.resize(receive.first_byte + receive.bytes);
    for (std::uint64_t i = 0; i < receive.bytes; ++i) {
      EXPECT_FALSE(buffer[receive.first_byte + i]) << "byte " << receive.first_byte + i << " came twice";
      buffer[receive.first_byte + i] = 0;
    }
    for (const NpuId source : flow.sources) {
      const auto send = sends_.find({receive.flow, source});
      ASSERT_NE(send, sends_.end());
      EXPECT_EQ(send->second.bytes, receive.bytes);
      for (std::uint64_t i = 0; i < receive.bytes; ++i) {
        *buffer[receive.first_byte + i] += symbol(source, send->second.first_byte + i);
      }
    }
    if (++received_[receive.flow] < flow.destinations.size()) return;
    for (const NpuId source : flow.sources) sends_.erase({receive.flow, source});
  }

  /// As a network interface cuts a stream: whole elements while they fit behind the header.
  static std::uint64_t count_packets(std::uint64_t bytes, std::uint32_t element) {
    std::uint64_t packets = 0;
    while (bytes > 0) {
      std::uint64_t payload = 0;
      while (payload < bytes && 6 + payload + element <= 4096) payload += element;
      bytes -= payload;
      ++packets;
    }
    return packets;
  }

  const Plan& plan_;
  std::map<Key, accel::SendStream> sends_;
  std::map<hw::FlowId, std::size_t> received_;
  std::map<NpuId, Buffer> results_;
};

class Collective : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  /// Calls check(group, bytes, dtype, network) for each byte count and dtype.
  template <class Check>
  void for_each_case(OperationType type, Check check) {
    const std::vector<std::uint32_t> ranks = {5, 2, 7, 0, 1, 6, 3, 4};  // rank order is not port order
    const std::vector<std::uint32_t> members(ranks.begin(), ranks.begin() + GetParam());
    for (const std::uint64_t bytes : {0, 1, 2, 7, 19, 4090, 4091, 100003}) {
      for (const hw::DType dtype : {hw::DType::fp16, hw::DType::bf16, hw::DType::fp32, hw::DType::int32}) {
        SCOPED_TRACE(::testing::Message() << bytes << " bytes of " << hw::to_string(dtype));
        WorkloadBuilder b(8);
        const OperationId o = b.add("o", type, members, bytes);
        b.at(o).dtype = dtype;
        b.at(o).root = NpuId(members[members.size() / 2]);
        root_ = *b.at(o).root;
        const Plan plan = make_plan(b.workload(), {});
        padded_ = plan.operations[0].padded_bytes;
        EXPECT_EQ(plan.operations[0].algorithm, bytes == 0 || members.size() == 1 ? "local" : "in-network");
        if (bytes == 0 || members.size() == 1) {
          EXPECT_TRUE(plan.flows.empty());
        }
        SymbolNetwork network(plan);
        check(b.at(o).npus, bytes, dtype, network);
      }
    }
  }

  /// The bytes of a reduction, rounded up to whole elements.
  static std::uint64_t padded(std::uint64_t bytes, hw::DType dtype) {
    while (bytes % hw::size_of(dtype) != 0) ++bytes;
    return bytes;
  }
  static Buffer sum(const hw::Group& group, std::uint64_t bytes) {
    Buffer buffer(bytes, 0);
    for (std::uint64_t i = 0; i < bytes; ++i) {
      for (const NpuId npu : group) *buffer[i] += symbol(npu, i);
    }
    return buffer;
  }
  static Buffer source(NpuId npu, std::uint64_t bytes) { return sum({npu}, bytes); }
  static Buffer slice(const Buffer& buffer, std::uint64_t begin, std::uint64_t end) {
    return Buffer(buffer.begin() + static_cast<std::ptrdiff_t>(begin),
                  buffer.begin() + static_cast<std::ptrdiff_t>(end));
  }

  NpuId root_;
  std::uint64_t padded_ = 0;
};

TEST_P(Collective, AllReduceGivesEveryoneTheSum) {
  for_each_case(OperationType::all_reduce,
                [&](const hw::Group& group, std::uint64_t bytes, hw::DType dtype, SymbolNetwork& network) {
                  EXPECT_EQ(padded_, padded(bytes, dtype));
                  if (group.size() == 1) return;
                  const Buffer whole = sum(group, padded_);
                  for (const NpuId npu : group) EXPECT_EQ(network.result(npu, padded_), whole);
                });
}

TEST_P(Collective, ReduceGivesTheRootTheSum) {
  for_each_case(OperationType::reduce, [&](const hw::Group& group, std::uint64_t bytes, hw::DType dtype,
                                           SymbolNetwork& network) {
    EXPECT_EQ(padded_, padded(bytes, dtype));
    if (group.size() == 1) return;
    for (const NpuId npu : group) {
      EXPECT_EQ(network.result(npu, padded_), npu == root_ ? sum(group, padded_) : Buffer(padded_));
    }
  });
}

TEST_P(Collective, ReduceScatterCutsTheSumUp) {
  for_each_case(OperationType::reduce_scatter,
                [&](const hw::Group& group, std::uint64_t bytes, hw::DType dtype, SymbolNetwork& network) {
                  EXPECT_EQ(padded_, padded(bytes, dtype));
                  if (group.size() == 1) return;
                  const std::uint64_t elements = padded_ / hw::size_of(dtype);
                  const Buffer whole = sum(group, padded_);
                  std::uint64_t begin = 0;
                  for (std::uint64_t r = 0; r < group.size(); ++r) {
                    const std::uint64_t end = (r + 1) * elements / group.size() * hw::size_of(dtype);
                    EXPECT_EQ(network.result(group[r], end - begin), slice(whole, begin, end));
                    begin = end;
                  }
                  EXPECT_EQ(begin, padded_);
                });
}

TEST_P(Collective, BroadcastGivesEveryoneTheRootsData) {
  for_each_case(OperationType::broadcast, [&](const hw::Group& group, std::uint64_t bytes, hw::DType,
                                              SymbolNetwork& network) {
    EXPECT_EQ(padded_, bytes);
    for (const NpuId npu : group) {
      EXPECT_EQ(network.result(npu, bytes), npu == root_ ? Buffer(bytes) : source(root_, bytes));
    }
  });
}

TEST_P(Collective, AllGatherConcatenatesTheShards) {
  for_each_case(OperationType::all_gather,
                [&](const hw::Group& group, std::uint64_t bytes, hw::DType, SymbolNetwork& network) {
                  for (const NpuId npu : group) {
                    const Buffer result = network.result(npu, bytes * group.size());
                    for (std::uint64_t r = 0; r < group.size(); ++r) {
                      EXPECT_EQ(slice(result, r * bytes, (r + 1) * bytes),
                                group[r] == npu ? Buffer(bytes) : source(group[r], bytes));
                    }
                  }
                });
}

TEST_P(Collective, GatherConcatenatesTheShardsAtTheRoot) {
  for_each_case(OperationType::gather, [&](const hw::Group& group, std::uint64_t bytes, hw::DType,
                                           SymbolNetwork& network) {
    for (const NpuId npu : group) {
      const Buffer result = network.result(npu, bytes * group.size());
      for (std::uint64_t r = 0; r < group.size(); ++r) {
        const bool comes = npu == root_ && group[r] != root_;
        EXPECT_EQ(slice(result, r * bytes, (r + 1) * bytes), comes ? source(group[r], bytes) : Buffer(bytes));
      }
    }
  });
}

TEST_P(Collective, ScatterCutsTheRootsDataUp) {
  for_each_case(OperationType::scatter,
                [&](const hw::Group& group, std::uint64_t bytes, hw::DType, SymbolNetwork& network) {
                  const Buffer whole = source(root_, bytes * group.size());
                  for (std::uint64_t r = 0; r < group.size(); ++r) {
                    EXPECT_EQ(network.result(group[r], bytes),
                              group[r] == root_ ? Buffer(bytes) : slice(whole, r * bytes, (r + 1) * bytes));
                  }
                });
}

/// Every member's data comes back when what it sent is put together again in the order of the ranks.
TEST_P(Collective, AllToAllTransposesTheBlocks) {
  for_each_case(OperationType::all_to_all,
                [&](const hw::Group& group, std::uint64_t bytes, hw::DType, SymbolNetwork& network) {
                  const std::uint64_t n = group.size();
                  std::vector<Buffer> sent(n);
                  for (std::uint64_t to = 0; to < n; ++to) {
                    const std::uint64_t begin = to * bytes / n, size = (to + 1) * bytes / n - begin;
                    const Buffer result = network.result(group[to], size * n);
                    for (std::uint64_t from = 0; from < n; ++from) {
                      Buffer block = slice(result, from * size, (from + 1) * size);
                      if (from == to) {
                        EXPECT_EQ(block, Buffer(size));
                        block = slice(source(group[from], bytes), begin, begin + size);
                      }
                      sent[from].insert(sent[from].end(), block.begin(), block.end());
                    }
                  }
                  for (std::uint64_t from = 0; from < n; ++from)
                    EXPECT_EQ(sent[from], source(group[from], bytes));
                });
}

INSTANTIATE_TEST_SUITE_P(Sizes, Collective, ::testing::Values(1, 2, 3, 7, 8));

TEST(Collectives, SendGivesItsReceiveTheData) {
  for (const std::uint64_t bytes : {0, 1, 4091}) {
    WorkloadBuilder b(8);
    const auto [send, recv] = b.add_message("m", 6, 1, bytes);
    const Plan plan = make_plan(b.workload(), {});
    SymbolNetwork network(plan);
    const Buffer result = network.result(NpuId(1), bytes);
    for (std::uint64_t i = 0; i < bytes; ++i) EXPECT_EQ(result[i], symbol(NpuId(6), i));
    EXPECT_EQ(plan.operations[send.value].algorithm, bytes == 0 ? "local" : "unicast");
    EXPECT_EQ(plan.programs[1].parts[0].operation, recv);
    EXPECT_EQ(plan.programs[1].parts[0].receives.size(), bytes == 0 ? 0u : 1u);
    EXPECT_EQ(plan.flows.size(), bytes == 0 ? 0u : 1u);
  }
}

TEST(Collectives, SendToItselfStaysAtHome) {
  WorkloadBuilder b(8);
  b.add_message("m", 3, 3, 100);
  const Plan plan = make_plan(b.workload(), {});
  EXPECT_TRUE(plan.flows.empty());
  EXPECT_EQ(plan.operations[0].algorithm, "local");
  EXPECT_EQ(plan.programs[3].parts.size(), 2u);
}

TEST(Collectives, BarrierIsOneControlFlow) {
  WorkloadBuilder b(8);
  b.add("b", OperationType::barrier, {4, 1, 6});
  b.add("alone", OperationType::barrier, {2});
  const Plan plan = make_plan(b.workload(), {});
  SymbolNetwork network(plan);
  ASSERT_EQ(plan.flows.size(), 1u);
  EXPECT_EQ(plan.flows[0].vc, hw::VirtualChannel::control);
  EXPECT_EQ(plan.flows[0].bytes, 0u);
  EXPECT_EQ(plan.flows[0].sources, testing::npus({1, 4, 6}));
  EXPECT_EQ(plan.flows[0].destinations, testing::npus({1, 4, 6}));
  EXPECT_EQ(plan.switches[0].flows[0].vc, hw::VirtualChannel::control);
  EXPECT_EQ(plan.operations[0].algorithm, "control");
  EXPECT_EQ(plan.operations[1].algorithm, "local");
  EXPECT_EQ(plan.programs[1].parts[0].vc, hw::VirtualChannel::control);
}

TEST(Collectives, ComputeTakesItsTimeOrItsFlops) {
  WorkloadBuilder b(2);
  const OperationId ns = b.add("ns", OperationType::compute, {0});
  b.at(ns).duration = hw::Time::fs(12'345);
  const OperationId flops = b.add("flops", OperationType::compute, {1});
  b.at(flops).flops = 1e9;
  const OperationId odd = b.add("odd", OperationType::compute, {1});
  b.at(odd).flops = 1;
  PlanOptions options;
  options.npu_flops = 3e12;
  const Plan plan = make_plan(b.workload(), options);
  EXPECT_EQ(plan.programs[0].parts[0].duration, hw::Time::fs(12'345));
  EXPECT_EQ(plan.programs[1].parts[0].duration, hw::Time::fs(333'333'333'334));
  EXPECT_EQ(plan.programs[1].parts[1].duration, hw::Time::fs(334));
  EXPECT_EQ(plan.operations[0].algorithm, "local");
}

TEST(Collectives, PartsKnowWhatTheyWaitFor) {
  WorkloadBuilder b(4);
  const OperationId a = b.add("a", OperationType::all_reduce, {0, 1, 2}, 8);
  const OperationId c = b.add("c", OperationType::compute, {1});
  const OperationId d = b.add("d", OperationType::all_reduce, {1, 2, 3}, 8, {c, a, c});
  b.at(d).after_all = {a};
  b.at(d).traffic_class = hw::TrafficClass::mp;
  b.at(d).op = hw::ReduceOp::max;
  const Plan plan = make_plan(b.workload(), {});
  const auto& one = plan.programs[1].parts;
  ASSERT_EQ(one.size(), 3u);
  EXPECT_EQ(one[2].after, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(one[2].after_all, std::vector<OperationId>{a});
  EXPECT_EQ(one[2].vc, hw::VirtualChannel::mp);
  EXPECT_EQ(one[2].op, hw::ReduceOp::max);
  EXPECT_EQ(one[2].members, 3u);
  EXPECT_EQ(plan.programs[2].parts[1].after, std::vector<std::uint32_t>{0});
  EXPECT_TRUE(plan.programs[3].parts[0].after.empty());
  EXPECT_TRUE(plan.programs[0].parts[0].after.empty());
  EXPECT_EQ(plan.programs.size(), 8u) << "a program for every NPU of the system";
}

}  // namespace
}  // namespace fredsim::tb
