#include "tb/timeline/timeline_events.h"

#include <gtest/gtest.h>

#include "tb/timeline/timeline_json.h"

namespace fredsim::tb {
namespace {

using Kind = hw::Timeline::Kind;

hw::Time ns(std::int64_t n) {
  return hw::Time::fs(n * 1'000'000);
}

struct Filled {
  hw::Timeline timeline{hw::Timeline::Options{{}, ns(5)}};
  void span(Kind kind, const char* place, const char* row, const char* name, hw::Time begin, hw::Time end) {
    timeline.add(kind, timeline.name(place), timeline.name(row), timeline.name(name), begin, end);
  }
};

std::vector<std::string> shown(const std::vector<TimelineEvent>& events) {
  std::vector<std::string> lines;
  for (const TimelineEvent& e : events) {
    lines.push_back(e.place + "/" + e.row + " " + e.name + " " + to_string(e.begin) + "-" + to_string(e.end) +
                    (e.ended ? "" : " unfinished"));
  }
  return lines;
}

TEST(Timeline, OverlappingSpansGetRowsOfTheirOwn) {
  Filled f;
  f.span(Kind::dp, "npu10", "dp", "a", ns(0), ns(10));
  f.span(Kind::dp, "npu10", "dp", "b", ns(4), ns(6));
  f.span(Kind::dp, "npu10", "dp", "c", ns(6), ns(12));
  f.span(Kind::dp, "npu9", "dp", "d", ns(1), ns(2));
  EXPECT_EQ(shown(timeline_events(f.timeline, ns(20))),
            (std::vector<std::string>{"npu9/dp d 1 ns-2 ns", "npu9/exposed waits for dp 1 ns-2 ns",
                                      "npu10/dp a 0 s-10 ns", "npu10/dp 2 b 4 ns-6 ns",
                                      "npu10/dp 2 c 6 ns-12 ns", "npu10/exposed waits for dp 0 s-12 ns"}));
}

/// What results count: computing hides communication, and of several kinds the first counts.
TEST(Timeline, ExposedIsWhatNoComputationHides) {
  Filled f;
  f.span(Kind::compute, "npu0", "compute", "c", ns(2), ns(4));
  f.span(Kind::dp, "npu0", "dp", "d", ns(1), ns(9));
  f.span(Kind::mp, "npu0", "mp", "m", ns(6), ns(7));
  std::vector<std::string> exposed;
  for (const std::string& line : shown(timeline_events(f.timeline, ns(20)))) {
    if (line.rfind("npu0/exposed", 0) == 0) exposed.push_back(line.substr(13));
  }
  EXPECT_EQ(exposed, (std::vector<std::string>{"waits for dp 1 ns-2 ns", "waits for dp 4 ns-6 ns",
                                               "waits for mp 6 ns-7 ns", "waits for dp 7 ns-9 ns"}));
}

TEST(Timeline, WhatHasNotEndedLastsToTheEnd) {
  Filled f;
  f.timeline.begin(Kind::compute, f.timeline.name("npu0"), f.timeline.name("compute"), f.timeline.name("c"),
                   ns(3));
  f.span(Kind::packet, "npu0", "flow", "packet 0", ns(18), ns(25));
  f.span(Kind::stall, "l1_0", "dp", "late", ns(21), ns(30));
  EXPECT_EQ(shown(timeline_events(f.timeline, ns(20))),
            (std::vector<std::string>{"npu0/compute c 3 ns-20 ns unfinished"}));
}

TEST(Timeline, KeepsLongStallsOnly) {
  Filled f;
  f.timeline.stall("l1_0", "dp", "no_credit", ns(0), ns(5));
  f.timeline.stall("l1_0", "dp", "no_credit", ns(6), ns(10));
  EXPECT_EQ(f.timeline.spans().size(), 1u);
}

TEST(Timeline, TimesAreExact) {
  std::vector<TimelineEvent> events{
      {"npu0", "dp", "a \"b\"", "dp", hw::Time::fs(1), hw::Time::fs(1'234'567'890'123), true}};
  const std::string text = timeline_json(events, ns(1));
  EXPECT_NE(text.find("\"ts\":0.000000001,\"dur\":1234.567890122"), std::string::npos) << text;
  EXPECT_NE(text.find("\"name\":\"a \\\"b\\\"\""), std::string::npos) << text;
}

}  // namespace
}  // namespace fredsim::tb
