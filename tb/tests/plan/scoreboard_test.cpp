#include "tb/verify/scoreboard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "hw/core/error.h"
#include "tb/tests/plan/workloads.h"

namespace fredsim::tb {
namespace {

using hw::NpuId;
using hw::OperationId;
using hw::OperationType;
using testing::WorkloadBuilder;

/// A delivery with its own data.
struct Packet {
  std::uint32_t npu = 0;
  OperationId operation;
  std::uint32_t flow = 0;
  std::uint64_t first = 0;
  std::vector<std::byte> data;
};

/// Right deliveries of a workload, to be broken and written to a scoreboard.
class ScoreboardTest : public ::testing::Test {
 protected:
  void SetUp() override {
    all_reduce = b.add("sum", OperationType::all_reduce, {0, 1, 2}, 20'001);
    gather = b.add("gather", OperationType::all_gather, {0, 1, 2}, 5'000);
    layout.emplace(b.workload(), hw::DType::fp16);
    golden.emplace(*layout, hw::PatternKind::rounding, 1, order);
    scoreboard.emplace(*layout, &*golden);
    for (std::uint32_t npu = 0; npu < 3; ++npu) {
      add(npu, all_reduce, 0, 0, 20'002);
      for (std::uint32_t from = 0; from < 3; ++from) {
        if (from != npu) add(npu, gather, 1 + from, from * 5'000, 5'000);
      }
    }
  }

  void add(std::uint32_t npu, OperationId o, std::uint32_t flow, std::uint64_t first, std::uint64_t bytes) {
    for (std::uint64_t done = 0; done < bytes;) {
      Packet packet{npu, o, flow, first + done, {}};
      const std::uint64_t size = std::min<std::uint64_t>(4090, bytes - done);
      while (packet.data.size() < size) {
        const std::uint64_t at = packet.first + packet.data.size();
        const auto piece = layout->piece_at(o, *layout->rank_of(o, NpuId(npu)), at);
        const Golden::View view =
            golden->view(o, *piece, at, static_cast<std::uint32_t>(size - packet.data.size()));
        packet.data.insert(packet.data.end(), view.data, view.data + view.bytes);
      }
      done += size;
      packets.push_back(std::move(packet));
    }
  }

  void write(const Packet& packet, bool with_data = true) {
    accel::Delivery d;
    d.npu = NpuId(packet.npu);
    d.operation = packet.operation;
    d.flow = hw::FlowId(packet.flow);
    d.first_byte = packet.first;
    d.bytes = static_cast<std::uint32_t>(packet.data.size());
    d.data = with_data ? packet.data.data() : nullptr;
    d.at = hw::Time::fs(12'000'000);
    scoreboard->write(d);
  }
  void write_all(bool with_data = true) {
    for (const Packet& packet : packets) write(packet, with_data);
    scoreboard->finish();
  }
  const Fault& only_fault() {
    EXPECT_EQ(scoreboard->faults().size(), 1u);
    static const Fault none;
    return scoreboard->faults().empty() ? none : scoreboard->faults().front();
  }

  static constexpr std::uint64_t sum_elements = 10'001;
  static constexpr std::uint64_t all_elements = 3 * (sum_elements + 10'000);

  WorkloadBuilder b;
  OperationId all_reduce, gather;
  TreeOrder order{sw::single_switch(8)};
  std::optional<ResultLayout> layout;
  std::optional<Golden> golden;
  std::optional<Scoreboard> scoreboard;
  std::vector<Packet> packets;
};

TEST_F(ScoreboardTest, AcceptsWhatIsRight) {
  write_all();
  EXPECT_EQ(scoreboard->verified_elements(), all_elements);
  EXPECT_EQ(scoreboard->wrong_elements(), 0u);
  EXPECT_EQ(scoreboard->missing_elements(), 0u);
  EXPECT_TRUE(scoreboard->faults().empty());
  EXPECT_EQ(golden->kept(), 0u) << "sums of operations that are over are kept";
}

TEST_F(ScoreboardTest, AcceptsAnyOrderOfFlows) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    scoreboard.emplace(*layout, &*golden);
    std::mt19937 random(seed);
    std::vector<std::size_t> place(packets.size());
    for (std::size_t i = 0; i < place.size(); ++i) place[i] = i;
    std::shuffle(place.begin(), place.end(), random);
    // Whichever packet of a flow at an NPU is drawn, its next one is taken.
    std::vector<bool> taken(packets.size(), false);
    for (const std::size_t drawn : place) {
      for (std::size_t i = 0; i < packets.size(); ++i) {
        if (taken[i] || packets[i].npu != packets[drawn].npu || packets[i].flow != packets[drawn].flow)
          continue;
        taken[i] = true;
        write(packets[i]);
        break;
      }
    }
    scoreboard->finish();
    EXPECT_EQ(scoreboard->verified_elements(), all_elements);
    EXPECT_TRUE(scoreboard->faults().empty());
  }
}

TEST_F(ScoreboardTest, ChecksRangesWithoutData) {
  write_all(false);
  EXPECT_EQ(scoreboard->verified_elements(), 0u);
  EXPECT_TRUE(scoreboard->faults().empty());
  write(packets[0], false);
  EXPECT_EQ(only_fault().kind, Fault::Kind::doubled);
}

TEST_F(ScoreboardTest, WorksWithoutAGoldenModel) {
  scoreboard.emplace(*layout, nullptr);
  write_all(false);
  EXPECT_TRUE(scoreboard->faults().empty());
}

TEST_F(ScoreboardTest, CatchesAWrongElement) {
  packets[1].data[10] ^= std::byte{1};
  write_all();
  const Fault& fault = only_fault();
  EXPECT_EQ(fault.kind, Fault::Kind::value);
  EXPECT_EQ(fault.npu, NpuId(0));
  EXPECT_EQ(fault.operation, "sum");
  EXPECT_EQ(fault.element, (4090u + 10) / 2);
  EXPECT_EQ(fault.elements, 1u);
  EXPECT_NE(fault.expected, fault.got);
  EXPECT_EQ(scoreboard->wrong_elements(), 1u);
  EXPECT_EQ(scoreboard->verified_elements(), all_elements - 1);
  EXPECT_EQ(scoreboard->missing_elements(), 0u);
}

TEST_F(ScoreboardTest, CatchesAWrongByteOfWhatMoves) {
  Packet& packet =
      *std::find_if(packets.begin(), packets.end(), [&](const Packet& p) { return p.operation == gather; });
  packet.data[3] = packet.data[3] == std::byte{0x5a} ? std::byte{0xa5} : std::byte{0x5a};
  write_all();
  EXPECT_EQ(only_fault().element, packet.first + 3);
  EXPECT_TRUE(only_fault().got == "0x5a" || only_fault().got == "0xa5");
}

TEST_F(ScoreboardTest, PrintsValuesInTheDtype) {
  WorkloadBuilder w;
  const std::vector<std::pair<hw::DType, std::string>> cases = {{hw::DType::fp16, "1.5 (0x3e00)"},
                                                                {hw::DType::bf16, "1.5 (0x3fc0)"},
                                                                {hw::DType::fp32, "1.5 (0x3fc00000)"},
                                                                {hw::DType::int32, "-2 (0xfffffffe)"}};
  const std::vector<std::vector<std::uint8_t>> data = {
      {0x00, 0x3e}, {0xc0, 0x3f}, {0x00, 0x00, 0xc0, 0x3f}, {0xfe, 0xff, 0xff, 0xff}};
  for (const auto& [dtype, text] : cases)
    w.at(w.add("o", OperationType::all_reduce, {0, 1}, 4)).dtype = dtype;
  const ResultLayout l(w.workload(), hw::DType::fp16);
  Golden g(l, hw::PatternKind::exact, 1, order);
  scoreboard.emplace(l, &g);
  for (std::uint32_t o = 0; o < 4; ++o) {
    Packet packet{0, OperationId(o), o, 0, {}};
    for (const std::uint8_t byte : data[o]) packet.data.push_back(std::byte{byte});
    write(packet);
    ASSERT_EQ(scoreboard->faults().size(), o + 1);
    EXPECT_EQ(scoreboard->faults()[o].got, cases[o].second);
  }
}

TEST_F(ScoreboardTest, CatchesSwappedPackets) {
  std::swap(packets[1], packets[2]);
  write_all();
  const Fault& fault = only_fault();
  EXPECT_EQ(fault.kind, Fault::Kind::out_of_order);
  EXPECT_EQ(fault.element, 4090u / 2);
  EXPECT_EQ(scoreboard->missing_elements(), 0u);
}

TEST_F(ScoreboardTest, CatchesSwappedData) {
  std::swap(packets[1].data, packets[2].data);
  write_all();
  EXPECT_EQ(scoreboard->faults().size(), 2u);
  EXPECT_GT(scoreboard->wrong_elements(), 4000u);
}

TEST_F(ScoreboardTest, CatchesADoubledPacket) {
  packets.insert(packets.begin() + 2, packets[1]);
  write_all();
  EXPECT_EQ(only_fault().kind, Fault::Kind::doubled);
  EXPECT_EQ(scoreboard->wrong_elements(), 2045u);
  EXPECT_EQ(scoreboard->verified_elements(), all_elements);
}

TEST_F(ScoreboardTest, CatchesADoubledLastPacket) {
  packets.push_back(packets.back());
  write_all();
  EXPECT_EQ(only_fault().kind, Fault::Kind::doubled);
}

TEST_F(ScoreboardTest, CatchesADoubledPacketAtAMemberThatHasAll) {
  const auto next =
      std::find_if(packets.begin(), packets.end(), [&](const Packet& p) { return p.operation == gather; });
  packets.insert(next, packets.front());
  write_all();
  EXPECT_EQ(only_fault().kind, Fault::Kind::doubled);
  EXPECT_EQ(scoreboard->verified_elements(), all_elements);
  EXPECT_EQ(scoreboard->missing_elements(), 0u);
}

TEST_F(ScoreboardTest, CatchesAMissingPacket) {
  packets.erase(packets.begin() + 2);
  write_all();
  const Fault& fault = only_fault();
  EXPECT_EQ(fault.kind, Fault::Kind::missing);
  EXPECT_EQ(fault.element, 2u * 2045);
  EXPECT_EQ(fault.elements, 2045u);
  EXPECT_EQ(scoreboard->missing_elements(), 2045u);
  EXPECT_EQ(to_string(fault), "npu 0, operation \"sum\": elements 4090 to 6134 never came");
}

TEST_F(ScoreboardTest, CatchesThatNothingCame) {
  scoreboard->finish();
  EXPECT_EQ(scoreboard->missing_elements(), all_elements);
}

TEST_F(ScoreboardTest, CatchesAWrongNpu) {
  packets[1].npu = 5;
  write_all();
  ASSERT_EQ(scoreboard->faults().size(), 2u);
  EXPECT_EQ(scoreboard->faults()[0].kind, Fault::Kind::unexpected);
  EXPECT_EQ(scoreboard->faults()[0].npu, NpuId(5));
  EXPECT_EQ(scoreboard->faults()[1].kind, Fault::Kind::missing);
}

TEST_F(ScoreboardTest, CatchesAnotherMembersCopy) {
  std::find_if(packets.begin(), packets.end(), [](const Packet& p) { return p.npu == 1; })->npu = 2;
  write_all();
  ASSERT_EQ(scoreboard->faults().size(), 2u);
  EXPECT_EQ(scoreboard->faults()[0].kind, Fault::Kind::doubled);
  EXPECT_EQ(scoreboard->faults()[1].kind, Fault::Kind::missing);
}

TEST_F(ScoreboardTest, CatchesWhatIsBeyondTheResult) {
  packets[4].data.resize(packets[4].data.size() + 2);
  write_all();
  EXPECT_EQ(scoreboard->faults()[0].kind, Fault::Kind::unexpected);
}

TEST_F(ScoreboardTest, CatchesAnOwnShardThatComesBack) {
  Packet own{0, gather, 1, 0, std::vector<std::byte>(100)};
  write(own);
  EXPECT_EQ(only_fault().kind, Fault::Kind::unexpected);
}

TEST_F(ScoreboardTest, CatchesDataShiftedByOneElement) {
  std::rotate(packets[1].data.begin(), packets[1].data.begin() + 2, packets[1].data.end());
  write_all();
  EXPECT_GT(only_fault().elements, 2000u);
}

TEST_F(ScoreboardTest, CatchesAPlaceShiftedByOneElement) {
  packets[1].first += 2;
  write_all();
  EXPECT_FALSE(scoreboard->faults().empty());
  EXPECT_GT(scoreboard->missing_elements(), 0u);
}

TEST_F(ScoreboardTest, CatchesAPlaceBetweenElements) {
  packets[1].first += 1;
  write_all();
  EXPECT_EQ(scoreboard->faults()[0].kind, Fault::Kind::unexpected);
}

/// Infinity and its opposite give the quiet NaN; another NaN pattern is wrong although both are NaN.
TEST_F(ScoreboardTest, TellsNansApart) {
  const std::uint16_t other_nan = 0x7e01;
  std::memcpy(packets[0].data.data(), &other_nan, sizeof other_nan);
  write_all();
  EXPECT_EQ(only_fault().elements, 1u);
  EXPECT_EQ(only_fault().got, "nan (0x7e01)");
}

TEST_F(ScoreboardTest, KeepsTheFirstFaultsAndCountsAll) {
  scoreboard.emplace(*layout, &*golden, 2);
  for (Packet& packet : packets) packet.data[0] ^= std::byte{1};
  write_all();
  EXPECT_EQ(scoreboard->faults().size(), 2u);
  EXPECT_EQ(scoreboard->wrong_elements(), packets.size());
}

TEST_F(ScoreboardTest, TakesTheDataOfASendByEitherName) {
  WorkloadBuilder w;
  const auto [send, recv] = w.add_message("m", 0, 1, 100);
  const ResultLayout l(w.workload(), hw::DType::fp16);
  Golden g(l, hw::PatternKind::exact, 1, order);
  for (const OperationId name : {send, recv}) {
    scoreboard.emplace(l, &g);
    const Golden::View view = g.view(recv, *l.piece_at(recv, 0, 0), 0, 100);
    write({1, name, 0, 0, std::vector<std::byte>(view.data, view.data + 100)});
    scoreboard->finish();
    EXPECT_EQ(scoreboard->verified_elements(), 100u);
    EXPECT_TRUE(scoreboard->faults().empty());
  }
}

TEST_F(ScoreboardTest, RefusesAnOperationThatIsNotThere) {
  EXPECT_THROW(write({0, OperationId(99), 0, 0, std::vector<std::byte>(2)}), hw::InternalError);
}

}  // namespace
}  // namespace fredsim::tb
