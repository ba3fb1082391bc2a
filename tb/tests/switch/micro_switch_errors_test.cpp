#include <gtest/gtest.h>

#include "hw/core/error.h"
#include "tb/tests/switch/micro_bench.h"

namespace fredsim::test {
namespace {

using hw::PacketRef;
using sw::ElementKind;

TEST(MicroSwitchSettings, BeyondTheKindAreRefused) {
  MicroBench r("r", ElementKind::r, 2, 3), d("d", ElementKind::d, 3, 2), rd("rd", ElementKind::rd, 2, 2),
      demux("demux", ElementKind::demux, 1, 3), mux("mux", ElementKind::mux, 3, 1);
  EXPECT_THROW(r.dut->load(0, {0b01, 0b011}), hw::InternalError);  // an R does not copy
  EXPECT_THROW(d.dut->load(0, {0b011, 0b01}), hw::InternalError);  // a D does not reduce
  EXPECT_THROW(demux.dut->load(0, {0b1, 0b011}), hw::InternalError);
  EXPECT_THROW(mux.dut->load(0, {0b011, 0b1}), hw::InternalError);
  EXPECT_THROW(rd.dut->load(0, {0b100, 0b1}), hw::InternalError);  // no such input
  EXPECT_THROW(rd.dut->load(0, {0b1, 0b100}), hw::InternalError);  // no such output
  EXPECT_NO_THROW(rd.dut->load(0, {0b11, 0b11}));
}

/// Runs `body` in a simulation and expects InternalError with all these words.
template <class Body>
void expect_refused(Body body, std::initializer_list<const char*> words) {
  simulate([&] {
    wait_until(ns(4));
    try {
      body();
      ADD_FAILURE() << "was taken";
    } catch (const hw::InternalError& error) {
      for (const char* word : words)
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in " << error.what();
    }
  });
}

class Mismatch : public testing::TestWithParam<int> {};

TEST_P(Mismatch, OfOperandsIsNamed) {
  MicroBench tb("tb", ElementKind::r, 2, 2);
  tb.dut->load(0, {0b11, 0b01});
  expect_refused(
      [&] {
        hw::PacketHeader header;
        header.wire_bytes = 4096;
        const PacketRef left = tb.bench.packets.make_with_room(header, 0, 8);
        std::uint64_t offset = 0;
        std::uint32_t bytes = 8;
        if (GetParam() == 0) header.flow = hw::FlowId(1);
        if (GetParam() == 1) header.sequence = 1;
        if (GetParam() == 2) header.dtype = hw::DType::int32;
        if (GetParam() == 3) header.op = hw::ReduceOp::max;
        if (GetParam() == 4) offset = 8;
        if (GetParam() == 5) bytes = 4;
        const PacketRef right = GetParam() == 6 ? tb.bench.packets.make(header, offset, nullptr, bytes)
                                                : tb.bench.packets.make_with_room(header, offset, bytes);
        tb.send(0, left, hw::now());
        tb.send(1, right, hw::now());
      },
      {"switch.interconnect.m2.r0", "at 4 ns", "packet 0 of flow 0"});
}

INSTANTIATE_TEST_SUITE_P(Field, Mismatch, testing::Range(0, 7));

TEST(MicroSwitchErrors, PacketAtAnInputTheCircuitDoesNotUse) {
  MicroBench tb("tb", ElementKind::rd, 2, 2);
  tb.dut->load(0, {0b01, 0b01});
  expect_refused([&] { tb.send(1, tb.packet<float>(0, {1}), hw::now()); },
                 {"tb.dut", "at 4 ns", "input 1", "does not use"});
}

TEST(MicroSwitchErrors, PacketOfACircuitThatWasNeverLoaded) {
  MicroBench tb("tb", ElementKind::rd, 2, 2);
  tb.active.id = 77;
  expect_refused([&] { tb.send(0, tb.packet<float>(0, {1}), hw::now()); }, {"tb.dut", "circuit 77"});
}

TEST(MicroSwitchErrors, SecondOperandAtOneInput) {
  MicroBench tb("tb", ElementKind::rd, 2, 2);
  tb.dut->load(0, {0b11, 0b01});
  expect_refused(
      [&] {
        tb.send(0, tb.packet<float>(0, {1}), hw::now());
        tb.send(0, tb.packet<float>(0, {1}), hw::now());
      },
      {"tb.dut", "input 0", "already holds"});
}

TEST(MicroSwitchErrors, CreditInsideASwitch) {
  MicroBench tb("tb", ElementKind::rd, 2, 2);
  tb.dut->load(0, {0b01, 0b01});
  expect_refused(
      [&] {
        const PacketRef packet = tb.packet<float>(0, {1});
        tb.send(0, packet, hw::now());
        tb.credit(0, packet);
      },
      {"tb.dut", "no credits"});
}

}  // namespace
}  // namespace fredsim::test
