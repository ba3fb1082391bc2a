#include <gtest/gtest.h>

#include "switch/fabric/micro_switch_interconnect.h"
#include "tb/tests/switch/micro_bench.h"

namespace fredsim::test {
namespace {

using hw::PacketRef;
using hw::Time;
using sw::ElementKind;

TEST(RMicroSwitch, LatchesUntilThePartnerComesAndReduces) {
  MicroBench tb("tb", ElementKind::r, 2, 3);
  tb.dut->load(0, {0b11, 0b100});
  simulate([&] {
    tb.send(1, tb.packet<float>(0, {1, 2}), ns(5));
    EXPECT_TRUE(tb.arrivals.empty());
    tb.send(0, tb.packet<float>(0, {10, 20}), ns(3));
    ASSERT_EQ(tb.arrivals.size(), 1u);
    EXPECT_EQ(tb.arrivals[0].output, 2u);
    EXPECT_EQ(tb.arrivals[0].at, ns(5) + hop);  // after the later of the two heads
    EXPECT_EQ(values_of<float>(tb.arrivals[0].packet), (std::vector<float>{11, 22}));
  });
  EXPECT_EQ(tb.dut->counts().reductions, 1u);
  EXPECT_EQ(tb.dut->counts().distributions, 0u);
  EXPECT_EQ(tb.dut->counts().forwards, 0u);
}

TEST(RMicroSwitch, LeavesTheOperandsAlone) {
  MicroBench tb("tb", ElementKind::r, 2, 2);
  tb.dut->load(0, {0b11, 0b01});
  simulate([&] {
    const PacketRef a = tb.packet<float>(0, {1}), b = tb.packet<float>(0, {2});
    tb.send(0, a, Time());
    tb.send(1, b, Time());
    EXPECT_EQ(values_of<float>(a), std::vector<float>{1});
    EXPECT_EQ(values_of<float>(b), std::vector<float>{2});
    EXPECT_NE(&*tb.arrivals.at(0).packet, &*a);
  });
}

template <class T>
void expect_reduction(MicroBench& tb, hw::DType dtype, hw::ReduceOp op, T a, T b, T expected) {
  tb.arrivals.clear();
  tb.send(0, tb.packet<T>(0, {a}, dtype, op), hw::now());
  tb.send(1, tb.packet<T>(0, {b}, dtype, op), hw::now());
  ASSERT_EQ(tb.arrivals.size(), 1u);
  EXPECT_EQ(values_of<T>(tb.arrivals[0].packet), std::vector<T>{expected})
      << to_string(dtype) << to_string(op);
}

TEST(RMicroSwitch, EveryTypeAndOperation) {
  MicroBench tb("tb", ElementKind::r, 2, 2);
  tb.dut->load(0, {0b11, 0b01});
  simulate([&] {
    using hw::DType;
    using hw::ReduceOp;
    using Half = std::uint16_t;
    // 1.5 = 0x3e00 (FP16), 0x3fc0 (BF16); -2 = 0xc000; -0.5 = 0xb800, 0xbf00.
    expect_reduction<Half>(tb, DType::fp16, ReduceOp::sum, 0x3e00, 0xc000, 0xb800);
    expect_reduction<Half>(tb, DType::fp16, ReduceOp::min, 0x3e00, 0xc000, 0xc000);
    expect_reduction<Half>(tb, DType::fp16, ReduceOp::max, 0x3e00, 0xc000, 0x3e00);
    expect_reduction<Half>(tb, DType::bf16, ReduceOp::sum, 0x3fc0, 0xc000, 0xbf00);
    expect_reduction<Half>(tb, DType::bf16, ReduceOp::min, 0x3fc0, 0xc000, 0xc000);
    expect_reduction<Half>(tb, DType::bf16, ReduceOp::max, 0x3fc0, 0xc000, 0x3fc0);
    expect_reduction<float>(tb, DType::fp32, ReduceOp::sum, 1.5f, -2.0f, -0.5f);
    expect_reduction<float>(tb, DType::fp32, ReduceOp::min, 1.5f, -2.0f, -2.0f);
    expect_reduction<float>(tb, DType::fp32, ReduceOp::max, 1.5f, -2.0f, 1.5f);
    expect_reduction<std::int32_t>(tb, DType::int32, ReduceOp::sum, INT32_MAX, 1, INT32_MIN);
    expect_reduction<std::int32_t>(tb, DType::int32, ReduceOp::min, 3, -4, -4);
    expect_reduction<std::int32_t>(tb, DType::int32, ReduceOp::max, 3, -4, 3);
  });
}

TEST(RMicroSwitch, SumWasInjectedWithItsLastOperand) {
  MicroBench tb("tb", ElementKind::r, 2, 2);
  tb.dut->load(0, {0b11, 0b01});
  simulate([&] {
    for (const std::uint32_t input : {0u, 1u}) {
      hw::PacketHeader header;
      header.source = hw::NpuId(4 + input);
      header.injected = input == 0 ? ns(7) : ns(2);
      header.wire_bytes = 4096;
      tb.send(input, tb.bench.packets.make(header, 0, nullptr, 4), Time());
    }
    const hw::PacketHeader& sum = tb.arrivals.at(0).packet.header();
    EXPECT_EQ(sum.injected, ns(7));
    EXPECT_EQ(sum.source, hw::NpuId(4));
    EXPECT_EQ(tb.arrivals[0].packet->get_data_ptr(), nullptr);  // timing only
    EXPECT_EQ(tb.arrivals[0].packet->get_data_length(), 4u);
  });
}

TEST(DMicroSwitch, SharesOnePayloadAmongItsOutputs) {
  MicroBench tb("tb", ElementKind::d, 3, 2);
  tb.dut->load(0, {0b010, 0b11});
  simulate([&] {
    const PacketRef packet = tb.packet<float>(0, {5});
    tb.send(1, packet, ns(1));
    ASSERT_EQ(tb.arrivals.size(), 2u);
    for (std::uint32_t o = 0; o < 2; ++o) {
      EXPECT_EQ(tb.arrivals[o].output, o);
      EXPECT_EQ(tb.arrivals[o].at, ns(1) + hop);
      EXPECT_EQ(&*tb.arrivals[o].packet, &*packet);
    }
  });
  EXPECT_EQ(tb.dut->counts().distributions, 1u);
}

TEST(RDMicroSwitch, ReducesAndCopiesAtOnce) {
  MicroBench tb("tb", ElementKind::rd, 2, 2);
  tb.dut->load(0, {0b11, 0b11});
  simulate([&] {
    tb.send(0, tb.packet<float>(0, {1}), Time());
    tb.send(1, tb.packet<float>(0, {2}), Time());
    ASSERT_EQ(tb.arrivals.size(), 2u);
    EXPECT_EQ(values_of<float>(tb.arrivals[0].packet), std::vector<float>{3});
    EXPECT_EQ(&*tb.arrivals[0].packet, &*tb.arrivals[1].packet);
  });
  EXPECT_EQ(tb.dut->counts().reductions, 1u);
  EXPECT_EQ(tb.dut->counts().distributions, 1u);
}

class TwoFlows : public testing::TestWithParam<ElementKind> {};

TEST_P(TwoFlows, PassStraightAndCrossed) {
  MicroBench tb("tb", GetParam(), 2, 2);
  tb.dut->load(0, {0b01, 0b10});
  tb.dut->load(1, {0b10, 0b01});
  simulate([&] {
    // The tails overlap in the micro-switch; each has wires of its own.
    tb.active.id = 0;
    tb.send(0, tb.packet<float>(0, {5}), Time());
    tb.active.id = 1;
    tb.send(1, tb.packet<float>(1, {6}), Time());
    ASSERT_EQ(tb.arrivals.size(), 2u);
    EXPECT_EQ(tb.arrivals[0].output, 1u);
    EXPECT_EQ(values_of<float>(tb.arrivals[0].packet), std::vector<float>{5});
    EXPECT_EQ(tb.arrivals[1].output, 0u);
    EXPECT_EQ(values_of<float>(tb.arrivals[1].packet), std::vector<float>{6});
    EXPECT_EQ(tb.arrivals[0].at, hop);
    EXPECT_EQ(tb.arrivals[1].at, hop);
  });
  EXPECT_EQ(tb.dut->counts().forwards, 2u);
}

INSTANTIATE_TEST_SUITE_P(Kind, TwoFlows, testing::Values(ElementKind::r, ElementKind::d, ElementKind::rd),
                         [](const auto& of) { return std::string(to_string(of.param)); });

TEST(Selectors, LeadOneWayAmongMany) {
  MicroBench demux("demux", ElementKind::demux, 1, 3), mux("mux", ElementKind::mux, 3, 1);
  demux.dut->load(0, {0b1, 0b100});
  mux.dut->load(0, {0b010, 0b1});
  simulate([&] {
    demux.send(0, demux.packet<float>(0, {1}), Time());
    mux.send(1, mux.packet<float>(0, {1}), Time());
    EXPECT_EQ(demux.arrivals.at(0).output, 2u);
    EXPECT_EQ(demux.arrivals.at(0).at, hop);
    EXPECT_EQ(mux.arrivals.at(0).at, hop);
  });
}

/// A user's own micro-switch: negates what it passes.
class Negating : public sw::MicroSwitch {
 public:
  using MicroSwitch::MicroSwitch;

 private:
  PacketRef process(const std::vector<PacketRef>& operands) override {
    const std::uint32_t bytes = operands[0]->get_data_length();
    const PacketRef result = context().packets.make_with_room(operands[0].header(), 0, bytes);
    for (std::uint32_t i = 0; i < bytes; i += 4) {
      float value;
      std::memcpy(&value, operands[0]->get_data_ptr() + i, 4);
      value = -value;
      std::memcpy(result->get_data_ptr() + i, &value, 4);
    }
    return result;
  }
  bool can_reduce() const override { return true; }
  bool can_copy() const override { return true; }
};

TEST(MicroSwitchFactory, PutsAUsersOwnInItsPlace) {
  // FRED_2(4): the flow 0>3 crosses R 0, an RD in the middle and D 1; only RDs are replaced.
  Bench bench;
  const sw::Structure structure(4, 2);
  int made = 0;
  const sw::MicroSwitchFactory factory =
      [&](sc_core::sc_module_name name, hw::Context& context, const sw::MicroSwitchConfig& config,
          const sw::ActiveCircuit& active) -> std::unique_ptr<sw::MicroSwitch> {
    if (config.kind != ElementKind::rd) return sw::make_micro_switch(name, context, config, active);
    ++made;
    return std::make_unique<Negating>(name, context, config, active);
  };
  sw::MicroSwitchInterconnect interconnect("interconnect", bench.context, "interconnect", structure, hop,
                                           hw::Bandwidth::bytes_per_second(1'000'000'000), factory);
  EXPECT_EQ(made, 2);
  const sw::PortFlow flow{{hw::PortId(0)}, {hw::PortId(3)}};
  interconnect.lay(0, flow, {{1}});
  simulate([&] {
    hw::PacketHeader header;
    header.wire_bytes = 10;
    const PacketRef packet = bench.packets.make_with_room(header, 0, 4);
    const float value = 2.5f;
    std::memcpy(packet->get_data_ptr(), &value, 4);
    std::vector<sw::Emergence> emerged;
    interconnect.fire(0, {packet}, emerged);
    ASSERT_EQ(emerged.size(), 1u);
    EXPECT_EQ(values_of<float>(emerged[0].packet), std::vector<float>{-2.5f});
    EXPECT_EQ(emerged[0].at, hop * 3);
  });
}

}  // namespace
}  // namespace fredsim::test
