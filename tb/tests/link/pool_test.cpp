#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <random>

#include "hw/core/error.h"
#include "hw/link/packet.h"

namespace fredsim::test {
namespace {

using hw::PacketHeader;
using hw::PacketPool;
using hw::PacketRef;

PacketHeader unusual_header() {
  PacketHeader header;
  header.flow = hw::FlowId(3);
  header.operation = hw::OperationId(4);
  header.source = hw::NpuId(5);
  header.vc = hw::VirtualChannel::mp;
  header.dtype = hw::DType::int32;
  header.op = hw::ReduceOp::max;
  header.damaged = true;
  header.wire_bytes = 99;
  header.sequence = 17;
  header.injected = hw::Time::fs(23);
  return header;
}

TEST(PacketPool, PacketSaysWhatItWasMadeOf) {
  PacketPool pool(64);
  const std::byte data[8] = {};
  const PacketRef packet = pool.make(unusual_header(), 1000, data, 8);
  EXPECT_EQ(packet.header(), unusual_header());
  EXPECT_EQ(packet->get_address(), 1000u);
  EXPECT_EQ(packet->get_data_length(), 8u);
  EXPECT_EQ(hw::data_of(*packet), data);
  EXPECT_TRUE(packet->has_mm());
}

TEST(PacketPool, ReturnedPayloadKeepsNothing) {
  PacketPool pool(64);
  const hw::Payload* first = nullptr;
  {
    const PacketRef packet = pool.make_with_room(unusual_header(), 1000, 64);
    first = &*packet;
    packet->set_response_status(tlm::TLM_OK_RESPONSE);
  }
  EXPECT_EQ(hw::header_of(*first), PacketHeader());  // reset on its return, not only when used again
  EXPECT_EQ(first->get_data_ptr(), nullptr);
  const PacketRef again = pool.make(PacketHeader(), 0, nullptr, 0);
  ASSERT_EQ(&*again, first);
  EXPECT_EQ(again.header(), PacketHeader());
  EXPECT_EQ(again->get_address(), 0u);
  EXPECT_EQ(again->get_data_length(), 0u);
  EXPECT_EQ(again->get_data_ptr(), nullptr);
  EXPECT_EQ(again->get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
}

TEST(PacketPool, PayloadReturnsWithItsLastReference) {
  PacketPool pool(64);
  PacketRef first = pool.make(PacketHeader(), 0, nullptr, 0);
  PacketRef second = first;
  EXPECT_EQ(pool.in_flight(), 1u);
  first = PacketRef();
  EXPECT_EQ(pool.in_flight(), 1u);
  PacketRef third = std::move(second);
  EXPECT_FALSE(second);  // NOLINT: moved from, and so empty
  EXPECT_EQ(pool.in_flight(), 1u);
  const PacketRef fourth(*third);
  third = PacketRef();
  EXPECT_EQ(pool.in_flight(), 1u);
  EXPECT_EQ(fourth->get_ref_count(), 1);
}

TEST(PacketPool, SelfAssignmentKeepsThePacket) {
  PacketPool pool(64);
  PacketRef packet = pool.make(PacketHeader(), 7, nullptr, 0);
  const PacketRef& same = packet;
  packet = same;
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->get_address(), 7u);
  EXPECT_EQ(packet->get_ref_count(), 1);
}

TEST(PacketPool, PacketOverAnotherKeepsItsDataAlive) {
  PacketPool pool(64);
  PacketRef original = pool.make_with_room(PacketHeader(), 1000, 64);
  std::memset(original->get_data_ptr(), 0x77, 64);
  PacketRef damaged = pool.make_over(unusual_header(), original);
  EXPECT_EQ(damaged->get_data_ptr(), original->get_data_ptr());
  EXPECT_EQ(damaged->get_address(), 1000u);
  EXPECT_EQ(damaged->get_data_length(), 64u);
  EXPECT_EQ(damaged.header(), unusual_header());
  EXPECT_EQ(original.header(), PacketHeader());

  original = PacketRef();
  EXPECT_EQ(pool.in_flight(), 2u);
  // A packet made now must not get the room that is still read.
  const PacketRef other = pool.make_with_room(PacketHeader(), 0, 64);
  std::memset(other->get_data_ptr(), 0x11, 64);
  EXPECT_EQ(damaged->get_data_ptr()[63], 0x77);
  damaged = PacketRef();
  EXPECT_EQ(pool.in_flight(), 1u);
}

TEST(PacketPool, ChainOfPacketsOverPacketsComesBack) {
  PacketPool pool(64);
  {
    PacketRef last = pool.make_with_room(PacketHeader(), 0, 64);
    for (int k = 0; k < 5; ++k) last = pool.make_over(PacketHeader(), last);
    EXPECT_EQ(pool.in_flight(), 6u);
  }
  EXPECT_EQ(pool.in_flight(), 0u);
}

TEST(PacketPool, RoomIsTheLargestPacketAndNoMore) {
  PacketPool pool(64);
  EXPECT_NO_THROW(pool.make_with_room(PacketHeader(), 0, 64));
  EXPECT_THROW(pool.make_with_room(PacketHeader(), 0, 65), hw::InternalError);
  EXPECT_EQ(pool.in_flight(), 0u);
}

TEST(PacketPool, RoomsAreDistinct) {
  PacketPool pool(64);
  std::vector<PacketRef> packets;
  for (unsigned char k = 0; k < 100; ++k) {
    packets.push_back(pool.make_with_room(PacketHeader(), 0, 64));
    std::memset(packets.back()->get_data_ptr(), k, 64);
  }
  for (unsigned char k = 0; k < 100; ++k) {
    EXPECT_EQ(packets[k]->get_data_ptr()[0], k);
    EXPECT_EQ(packets[k]->get_data_ptr()[63], k);
  }
}

TEST(PacketPool, AllocatesNoMoreThanAreInFlightAtOnce) {
  PacketPool pool(64);
  std::mt19937 random(1);
  std::deque<PacketRef> in_flight;
  std::size_t most = 0;
  for (int k = 0; k < 200'000; ++k) {
    if (in_flight.size() < 50 && random() % 2 == 0) {
      in_flight.push_back(random() % 2 ? pool.make(PacketHeader(), 0, nullptr, 0)
                                       : pool.make_with_room(PacketHeader(), 0, 64));
    } else if (!in_flight.empty()) {
      in_flight.erase(in_flight.begin() + static_cast<long>(random() % in_flight.size()));
    }
    most = std::max(most, in_flight.size());
  }
  EXPECT_EQ(pool.allocated(), most);
  EXPECT_EQ(pool.in_flight(), in_flight.size());
}

TEST(PacketExtension, CopiesByTlmsOwnMeans) {
  hw::PacketExtension extension;
  extension.header = unusual_header();
  tlm::tlm_extension_base* clone = extension.clone();
  EXPECT_EQ(static_cast<hw::PacketExtension*>(clone)->header, unusual_header());
  clone->free();
  hw::PacketExtension copy;
  copy.copy_from(extension);
  EXPECT_EQ(copy.header, unusual_header());
}

TEST(PacketExtension, PayloadWithoutItIsNoPacket) {
  const hw::Payload payload;
  EXPECT_THROW(hw::header_of(payload), hw::InternalError);
}

}  // namespace
}  // namespace fredsim::test
