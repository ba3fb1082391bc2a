#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tb/report/charts.h"
#include "tb/report/svg.h"

namespace fredsim::tb::report {
namespace {

constexpr std::size_t most_places = 64;
constexpr std::size_t most_bars = 20'000;
const std::vector<std::string> kinds_in_order{"compute", "mp", "pp", "dp", "stream", "load"};
const std::set<std::string> kinds(kinds_in_order.begin(), kinds_in_order.end());

struct Bar {
  std::string name, kind;
  Json begin_ns, duration_ns;
};
struct Row {
  std::string place, name;
  std::vector<Bar> bars;
};

std::vector<Row> rows_of_timeline(const Json& timeline) {
  std::vector<Row> rows;
  std::map<std::uint64_t, std::string> places;
  for (const Json& e : timeline.at("traceEvents")) {
    if (e.at("ph") == "M") {
      const std::string what = e.at("name");
      if (what == "process_name") places[whole(e.at("pid"))] = e.at("args").at("name");
      if (what == "thread_name") rows.push_back({places[whole(e.at("pid"))], e.at("args").at("name"), {}});
    } else if (!rows.empty() && kinds.count(e.at("cat").get<std::string>()) > 0) {
      rows.back().bars.push_back(
          {e.at("name"), e.at("cat"), e.at("args").at("start_ns"), e.at("args").at("duration_ns")});
    }
  }
  rows.erase(std::remove_if(rows.begin(), rows.end(), [](const Row& row) { return row.bars.empty(); }),
             rows.end());
  return rows;
}

/// Bars that overlap go to further rows.
std::vector<Row> lanes_of(Row row) {
  std::stable_sort(row.bars.begin(), row.bars.end(),
                   [](const Bar& a, const Bar& b) { return a.begin_ns < b.begin_ns; });
  std::vector<Row> lanes;
  std::vector<double> free_at;
  for (Bar& bar : row.bars) {
    std::size_t lane = 0;
    while (lane < lanes.size() && free_at[lane] > bar.begin_ns) ++lane;
    if (lane == lanes.size()) {
      lanes.push_back({row.place, lane == 0 ? row.name : fmt::format("{} {}", row.name, lane + 1), {}});
      free_at.push_back(0);
    }
    free_at[lane] = bar.begin_ns.get<double>() + bar.duration_ns.get<double>();
    lanes[lane].bars.push_back(std::move(bar));
  }
  return lanes;
}

/// What the result alone tells: from the first member's start to the last one's end.
std::vector<Row> rows_of_operations(const Json& result) {
  std::map<std::pair<std::uint64_t, std::size_t>, Row> by_member;
  const double end = result.at("simulated_ns");
  for (const Json& operation : result.at("operations")) {
    if (operation.at("start_ns").is_null()) continue;
    const double begin = operation.at("start_ns");
    const double until = operation.at("end_ns").is_null() ? end : operation.at("end_ns").get<double>();
    const std::string kind =
        operation.at("type") == "compute" ? "compute" : operation.at("class").get<std::string>();
    for (const Json& npu : operation.at("npus")) {
      const auto order =
          std::find(kinds_in_order.begin(), kinds_in_order.end(), kind) - kinds_in_order.begin();
      Row& row = by_member[{whole(npu), static_cast<std::size_t>(order)}];
      row.place =
          result.contains("sites")
              ? result.at("sites").at(static_cast<std::size_t>(whole(npu))).at("name").get<std::string>()
              : "npu" + shown(npu);
      row.name = kind;
      row.bars.push_back({operation.at("id"), kind, operation.at("start_ns"), until - begin});
    }
  }
  std::vector<Row> rows;
  for (auto& [key, row] : by_member) {
    for (Row& lane : lanes_of(std::move(row))) rows.push_back(std::move(lane));
  }
  return rows;
}

}  // namespace

std::string operations_picture(const Json& result, const Json& timeline, std::string& left_out) {
  const double end = result.at("simulated_ns");
  std::vector<Row> rows = timeline.is_null() ? rows_of_operations(result) : rows_of_timeline(timeline);
  if (rows.empty() || end <= 0) return {};
  std::set<std::string> places;
  std::size_t kept = 0, bars = 0;
  for (; kept < rows.size(); ++kept) {
    places.insert(rows[kept].place);
    bars += rows[kept].bars.size();
    if (places.size() > most_places || bars > most_bars) break;
  }
  if (kept < rows.size()) {
    left_out =
        fmt::format("The first {} of {} rows are drawn; the timeline file has all.", kept, rows.size());
    rows.resize(kept);
  }
  constexpr double left = 120, right = 1040, step = 13;
  const double bottom =
      24 + step * static_cast<double>(rows.size()) + 4.0 * static_cast<double>(places.size());
  Svg svg(right + 60, bottom + 40, "Operations over time");
  double x = left;
  for (const std::string& kind : kinds_in_order) {
    svg.rectangle(x, 4, 12, 12, "k-" + kind);
    svg.text(x + 16, 14, kind);
    x += 90;
  }
  for (const double at : ticks(0, end, 10)) {
    const double tick = left + (right - left) * at / end;
    svg.line(tick, 22, tick, bottom, "grid");
    svg.text(tick, bottom + 14, time_text(at, end), "middle");
  }
  double y = 22;
  std::string place;
  for (const Row& row : rows) {
    if (row.place != place) {
      y += 4;
      svg.text(4, y + 10, row.place);
      place = row.place;
    }
    svg.text(left - 6, y + 10, row.name, "end", "soft");
    const bool exposed = row.name == "exposed";
    for (const Bar& bar : row.bars) {
      const double begin = left + (right - left) * bar.begin_ns.get<double>() / end;
      const double width = std::max((right - left) * bar.duration_ns.get<double>() / end, 0.6);
      svg.rectangle(begin, exposed ? y + 4 : y + 1, width, exposed ? 5 : step - 3, "k-" + bar.kind,
                    fmt::format("{} {}: {}, from {} ns, for {} ns", row.place, row.name, bar.name,
                                shown(bar.begin_ns), shown(bar.duration_ns)));
    }
    y += step;
  }
  return svg.finish();
}

}  // namespace fredsim::tb::report
