// A buffer of n packets sustains min(1, n s / (2 L + s)) of a link of latency L, s being a packet's time: the
// room of a packet is taken for its way there, its length, and the credit's way back.
#include "tb/tests/link/buffer_law.h"

#include <gtest/gtest.h>

#include "tb/tests/link/bench.h"

namespace fredsim::test {
namespace {

class BufferLaw : public testing::TestWithParam<std::uint64_t> {};

TEST_P(BufferLaw, OfALink) {
  const std::uint64_t n = GetParam();
  Bench bench;
  Sender sender("sender", bench, line_rate, packets_of_room(n));
  hw::Link link("link", bench.context, "link", {line_rate, ns(3.3)});
  Receiver receiver("receiver", line_rate);
  sender.transmitter.out.bind(link.in);
  link.out.bind(receiver.in);
  constexpr std::int64_t packets = 2000;
  simulate([&] {
    for (std::uint64_t k = 0; k < packets; ++k) sender.transmitter.enqueue(bench.packet(0, k));
  });
  ASSERT_EQ(receiver.arrivals.size(), packets);
  const hw::Time busy = line_rate.time_for(4096) * packets;
  const hw::Time took = receiver.arrivals.back().tail - receiver.arrivals.front().head;
  const double share = busy.seconds() / took.seconds();
  EXPECT_NEAR(share, buffer_law(n, 4096, 3e12, 3.3e-9), 0.003);

  // Every packet but the first waited either for the link or for credit, and nothing else.
  hw::Time waited;
  for (const Sender::Departure& d : sender.departures) waited += d.head;
  EXPECT_EQ(sender.transmitter.stalled_no_credit() + sender.transmitter.stalled_link_busy(), waited);
}

INSTANTIATE_TEST_SUITE_P(Packets, BufferLaw, testing::Range<std::uint64_t>(1, 9));

TEST(BufferLawFormula, HasItsKneeAtSixPacketsAtTheDefaults) {
  const double expected[] = {0.171, 0.343, 0.514, 0.686, 0.857, 1.0, 1.0};
  for (std::uint64_t n = 1; n <= 7; ++n)
    EXPECT_NEAR(buffer_law(n, 4096, 3e12, 3.3e-9), expected[n - 1], 0.0005);
}

}  // namespace
}  // namespace fredsim::test
