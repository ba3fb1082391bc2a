// What the database of a sweep can be asked.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hw/core/error.h"
#include "tb/sweep/database.h"
#include "tb/sweep/metrics.h"
#include "tb/sweep/result_path.h"

namespace fredsim::tb {
namespace {

/// A field of a CSV (RFC 4180).
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

bool SweepDatabase::is_right(std::int64_t id) {
  Statement state =
      sql_->prepare("SELECT status IN ('ok', 'stopped') FROM points WHERE id = ? AND state = 'done'");
  return state.bind(1, id).step() && state.integer(0) != 0;
}

std::optional<double> SweepDatabase::value(std::int64_t id, const std::string& name) {
  const auto same = [&](const Metric& metric) { return metric.name == name; };
  const bool metric =
      result_paths_.count(name) > 0 || std::any_of(ready_metrics().begin(), ready_metrics().end(), same);
  Statement read = metric ? sql_->prepare("SELECT value FROM metrics WHERE point = ? AND name = ?")
                          : sql_->prepare("SELECT json FROM results WHERE point = ?");
  read.bind(1, id);
  if (metric) {
    read.bind(2, name);
    return read.step() ? std::optional<double>(read.real(0)) : std::nullopt;
  }
  if (!read.step()) return std::nullopt;
  return ResultPath(name).in(nlohmann::ordered_json::parse(read.text(0)));
}

PointCounts SweepDatabase::counts() {
  PointCounts counts;
  Statement read = sql_->prepare(
      "SELECT state, coalesce(status, ''), count(*) FROM points WHERE number IS NOT NULL GROUP BY 1, 2");
  while (read.step()) {
    const std::string state = read.text(0), status = read.text(1);
    const auto n = static_cast<std::size_t>(read.integer(2));
    counts.points += n;
    if (state == "waiting") counts.waiting += n;
    if (state == "failed") counts.failed += n;
    if (status == "ok") counts.ok += n;
    if (status == "wrong_data") counts.wrong_data += n;
    if (status == "unfinished") counts.unfinished += n;
    if (status == "stopped") counts.stopped += n;
  }
  return counts;
}

std::vector<FailedPoint> SweepDatabase::failures() {
  std::vector<FailedPoint> failures;
  Statement read = sql_->prepare("SELECT point, number, coalesce(reason, status) FROM failures");
  Statement name = sql_->prepare(
      "SELECT a.key, coalesce(v.value, CASE a.key WHEN 'config' THEN p.config WHEN 'trace' THEN p.trace "
      "WHEN 'schedule' THEN p.schedule END) FROM axes a JOIN points p ON p.id = ? "
      "LEFT JOIN parameters v ON v.point = p.id AND v.key = a.key ORDER BY a.number");
  while (read.step()) {
    std::vector<std::string> words;
    name.bind(1, read.integer(0));
    while (name.step()) words.push_back(name.text(0) + " " + name.text(1));
    failures.push_back({read.integer(1), fmt::format("{}", fmt::join(words, ", ")), read.text(2)});
  }
  return failures;
}

std::vector<std::string> SweepDatabase::empty_results(const SweepFile& sweep) {
  Statement done = sql_->prepare("SELECT count(*) FROM results");
  done.step();
  if (done.integer(0) == 0) return {};
  std::vector<std::string> empty;
  Statement count = sql_->prepare("SELECT count(*) FROM metrics WHERE name = ?");
  for (const ResultName& result : sweep.results) {
    count.bind(1, result.name).step();
    if (count.integer(0) == 0) empty.push_back(result.name);
    count.step();
  }
  return empty;
}

std::string SweepDatabase::csv() {
  Statement read = sql_->prepare("SELECT * FROM summary");
  std::string text;
  for (int c = 0; c < read.columns(); ++c) text += (c ? "," : "") + csv_field(read.name(c));
  text += "\n";
  while (read.step()) {
    for (int c = 0; c < read.columns(); ++c) text += (c ? "," : "") + csv_field(read.printed(c));
    text += "\n";
  }
  return text;
}

std::int64_t SweepDatabase::point_number(std::int64_t id) {
  Statement read = sql_->prepare("SELECT number FROM points WHERE id = ?");
  return read.bind(1, id).step() ? read.integer(0) : 0;
}

}  // namespace fredsim::tb
