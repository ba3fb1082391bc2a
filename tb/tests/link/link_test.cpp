#include "hw/link/link.h"

#include <gtest/gtest.h>

#include "hw/core/error.h"
#include "hw/link/monitor.h"
#include "tb/tests/link/bench.h"
#include "tb/tests/link/rogue.h"

namespace fredsim::test {
namespace {

using hw::Capacity;
using hw::Time;
using hw::VirtualChannel;

TEST(Link, AddsItsLatencyToPacketsAndCredits) {
  Bench bench;
  Sender sender("sender", bench, line_rate, packets_of_room(1));
  hw::Link link("link", bench.context, "link", {line_rate, ns(3.3)});
  Receiver receiver("receiver", line_rate);
  sender.transmitter.out.bind(link.in);
  link.out.bind(receiver.in);
  simulate([&] {
    wait_until(ns(1));
    for (std::uint64_t k = 0; k < 2; ++k) sender.transmitter.enqueue(bench.packet(0, k));
  });
  ASSERT_EQ(receiver.arrivals.size(), 2u);
  EXPECT_EQ(receiver.arrivals[0].head, ns(1) + ns(3.3));
  // The second goes when the credit of the first is home: its tail arrives, and the credit's own way.
  const Time packet_time = line_rate.time_for(4096);
  EXPECT_EQ(receiver.arrivals[1].head, ns(1) + ns(3.3) + packet_time + ns(3.3) + ns(3.3));
}

TEST(Link, CountsDataAndControlApart) {
  Bench bench;
  Sender sender("sender", bench, line_rate, capacities(Capacity::unlimited()));
  hw::Link link("link", bench.context, "links.a", {line_rate, Time()});
  Receiver receiver("receiver", line_rate);
  sender.transmitter.out.bind(link.in);
  link.out.bind(receiver.in);
  simulate([&] {
    sender.transmitter.enqueue(bench.packet(0, 0, VirtualChannel::mp));
    sender.transmitter.enqueue(bench.packet(1, 0, VirtualChannel::dp, 100));
    sender.transmitter.enqueue(bench.packet(2, 0, VirtualChannel::control, 512));
  });
  EXPECT_EQ(link.path(), "links.a");
  EXPECT_EQ(link.traffic(hw::now()).packets, 2u);
  EXPECT_EQ(link.traffic(hw::now()).bytes, 4196u);
  EXPECT_EQ(link.traffic(hw::now()).control_packets, 1u);
  EXPECT_EQ(link.traffic(hw::now()).control_bytes, 512u);
  EXPECT_EQ(link.busy(ns(100)), line_rate.time_for(4096) + line_rate.time_for(100) + line_rate.time_for(512));
}

TEST(TransportDbg, AnswersOccupancyAndCreditsThroughLinksAndMonitors) {
  Bench bench;
  Sender sender("sender", bench, line_rate, packets_of_room(4));
  hw::MonitorConfig config;
  config.receiver = packets_of_room(4);
  config.bandwidth = line_rate;
  hw::PacketMonitor before("before", config), after("after", config);
  hw::Link link("link", bench.context, "link", {line_rate, ns(3.3)});
  Receiver receiver("receiver", line_rate);
  sender.transmitter.out.bind(before.in);
  before.out.bind(link.in);
  link.out.bind(after.in);
  after.out.bind(receiver.in);
  for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
    receiver.status.occupancy_bytes[vc] = 100 + vc;
    receiver.status.credit_bytes[vc] = 200 + vc;
  }
  simulate([&] {
    const hw::PortStatus status = sender.transmitter.out.status();
    for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
      EXPECT_EQ(status.occupancy_bytes[vc], 100 + vc);
      EXPECT_EQ(status.credit_bytes[vc], 200 + vc);
    }
    EXPECT_EQ(hw::now(), Time());  // asking takes no time and moves nothing
    EXPECT_EQ(link.traffic(hw::now()).packets, 0u);
  });
}

TEST(TransportDbg, TooSmallAQuestionIsNotAnswered) {
  Bench bench;
  RogueSender sender("sender");
  Receiver receiver("receiver", line_rate);
  sender.out.bind(receiver.in);
  simulate([&] {
    hw::Payload question;
    unsigned char room[sizeof(hw::PortStatus) - 1] = {};
    EXPECT_EQ(sender.out->transport_dbg(question), 0u);
    question.set_data_ptr(room);
    question.set_data_length(sizeof room);
    EXPECT_EQ(sender.out->transport_dbg(question), 0u);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(sender.out->get_direct_mem_ptr(question, dmi));
  });
}

TEST(TransportDbg, ReceiverWithoutAnAnswerIsNamed) {
  Bench bench;
  Sender sender("sender", bench, line_rate, packets_of_room(1));
  RogueReceiver receiver("receiver");
  sender.transmitter.out.bind(receiver.in);
  simulate([&] { EXPECT_THROW(sender.transmitter.out.status(), hw::InternalError); });
}

template <class Call>
void expect_refused(Call call, const char* socket) {
  try {
    call();
    FAIL() << "was taken";
  } catch (const hw::InternalError& error) {
    EXPECT_NE(std::string(error.what()).find(socket), std::string::npos) << error.what();
  }
}

TEST(Sockets, RefuseWhatIsNotInTheProtocol) {
  Bench bench;
  RogueSender rogue_sender("rogue_sender");
  Receiver receiver("receiver", line_rate);
  rogue_sender.out.bind(receiver.in);
  Sender sender("sender", bench, line_rate, packets_of_room(1));
  RogueReceiver rogue_receiver("rogue_receiver");
  sender.transmitter.out.bind(rogue_receiver.in);
  const hw::PacketRef packet = bench.packet(0, 0);
  simulate([&] {
    expect_refused([&] { rogue_sender.send(*packet, Time(), tlm::END_REQ); }, "receiver.in at 0");
    expect_refused([&] { rogue_receiver.credit(*packet, Time(), tlm::END_REQ); }, "sender.transmitter.out");
    sc_core::sc_time delay;
    expect_refused([&] { rogue_sender.out->b_transport(*packet, delay); }, "receiver.in");
  });
}

}  // namespace
}  // namespace fredsim::test
