#include "tb/timeline/timeline_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace fredsim::tb {
namespace {

using Kind = hw::Timeline::Kind;

constexpr std::array<const char*, 8> categories = {"compute", "mp",   "pp",     "dp",
                                                   "stream",  "load", "packet", "stall"};
constexpr std::size_t kinds = static_cast<std::size_t>(Kind::load) + 1;  // of operations

/// "npu10" behind "npu9": the text before the last number, and that.
std::pair<std::string, std::uint64_t> split(const std::string& name) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  const std::string number = name.substr(digits);
  return {name.substr(0, digits), number.empty() || number.size() > 9 ? 0 : std::stoull(number)};
}

/// NPUs, then I/O controllers, then the rest.
int rank(const std::string& place) {
  const std::string stem = split(place).first;
  return stem == "npu" ? 0 : stem == "io" ? 1 : 2;
}

int rank_of_row(const std::string& row) {
  static const std::array<const char*, 5> first = {"compute", "mp", "pp", "dp", "exposed"};
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (row.rfind(first[i], 0) == 0) return static_cast<int>(i);
  }
  return static_cast<int>(first.size());
}

/// A place where the numbers of operations of each kind that are under way change.
struct Change {
  hw::Time at;
  std::size_t kind;
  int by;
};

void add_exposed(const std::string& place, std::vector<Change> changes, hw::Time end,
                 std::vector<TimelineEvent>& events) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.at < b.at; });
  std::array<int, kinds> under_way{};
  const auto exposed = [&]() -> std::size_t {
    if (under_way[0] > 0) return 0;
    for (std::size_t kind = 1; kind < kinds; ++kind) {
      if (under_way[kind] > 0) return kind;
    }
    return 0;
  };
  std::size_t is = 0;
  hw::Time since;
  const auto go_to = [&](std::size_t next, hw::Time at) {
    if (next == is) return;
    if (is != 0 && since < at) {
      events.push_back(
          {place, "exposed", fmt::format("waits for {}", categories[is]), categories[is], since, at, true});
    }
    is = next;
    since = at;
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    under_way[changes[i].kind] += changes[i].by;
    if (i + 1 < changes.size() && changes[i + 1].at == changes[i].at) continue;
    go_to(exposed(), changes[i].at);
  }
  go_to(0, end);
}

}  // namespace

void arrange(std::vector<TimelineEvent>& events, const std::vector<std::string>& places) {
  std::map<std::string, std::size_t> named;
  for (const std::string& place : places) named.emplace(place, named.size() + 1);
  const auto place_key = [&](const TimelineEvent& e) {
    const auto found = named.find(e.place);
    return std::tuple(found == named.end() ? 0 : found->second, rank(e.place), split(e.place),
                      rank_of_row(e.row), split(e.row));
  };
  std::stable_sort(events.begin(), events.end(), [&](const TimelineEvent& a, const TimelineEvent& b) {
    if (a.place != b.place || a.row != b.row) return place_key(a) < place_key(b);
    return std::tuple(a.begin, a.end) < std::tuple(b.begin, b.end);
  });
  std::vector<hw::Time> free_at;  // of the lanes of one row
  std::string place, row;
  for (TimelineEvent& event : events) {
    if (event.place != place || event.row != row) {
      place = event.place;
      row = event.row;
      free_at.clear();
    }
    std::size_t lane = 0;
    while (lane < free_at.size() && free_at[lane] > event.begin) ++lane;
    if (lane == free_at.size()) free_at.emplace_back();
    free_at[lane] = event.end;
    if (lane > 0) event.row = fmt::format("{} {}", row, lane + 1);
  }
  std::stable_sort(events.begin(), events.end(), [&](const TimelineEvent& a, const TimelineEvent& b) {
    return std::tuple(place_key(a), a.begin) < std::tuple(place_key(b), b.begin);
  });
}

std::vector<TimelineEvent> timeline_events(const hw::Timeline& timeline, hw::Time end) {
  std::vector<TimelineEvent> events;
  std::map<std::uint32_t, std::vector<Change>> changes;  // by place
  for (const hw::Timeline::Span& span : timeline.spans()) {
    // What was announced and would have come after the end has not taken place.
    if (span.begin > end || (span.kind == Kind::packet && span.end > end)) continue;
    const bool ended = span.ended && span.end <= end;
    const hw::Time until = ended ? span.end : end;
    events.push_back({timeline.text(span.place), timeline.text(span.row), timeline.text(span.name),
                      categories[static_cast<std::size_t>(span.kind)], span.begin, until, ended});
    const auto kind = static_cast<std::size_t>(span.kind);
    if (kind >= kinds) continue;
    changes[span.place].push_back({span.begin, kind, 1});
    changes[span.place].push_back({until, kind, -1});
  }
  for (auto& [place, of_place] : changes) add_exposed(timeline.text(place), std::move(of_place), end, events);
  arrange(events);
  return events;
}

}  // namespace fredsim::tb
