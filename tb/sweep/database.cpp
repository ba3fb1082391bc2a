#include "tb/sweep/database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "hw/core/error.h"
#include "tb/sweep/metrics.h"
#include "tb/sweep/number.h"
#include "tb/sweep/result_path.h"
#include "tb/sweep/schema.h"

namespace fredsim::tb {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const char* const format_name = "fredsim-sweep";
const char* const format_version = "1";

/// Why a run has no result that can be kept: what it said, without what every message begins with.
std::string reason_of(const RunOutcome& outcome) {
  std::string text = outcome.error;
  const std::string begin = "fredsim: error: ";
  if (text.rfind(begin, 0) == 0) text = text.substr(begin.size());
  text.erase(text.find_last_not_of(" \n") + 1);
  if (!text.empty()) return text;
  return outcome.exit_code ? fmt::format("ended with exit code {} and no result", *outcome.exit_code)
                           : "ended without a result";
}

/// One of our results, or nothing.
std::optional<Json> parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("format", "") != "fredsim-result" || !json.contains("status"))
    return std::nullopt;
  return json;
}

}  // namespace

SweepDatabase::SweepDatabase(std::string folder, bool resume) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw hw::InputError(fmt::format("--out {}: cannot be made: {}", folder_, error.message()));
  const bool there = fs::exists(path());
  if (there && !resume) {
    throw hw::InputError(fmt::format(
        "{} holds a sweep: --resume goes on with it, --out DIR begins another one elsewhere", folder_));
  }
  lock();
  sql_.emplace(path());
  // What is committed survives the end of this process; that of the machine may cost the last points.
  sql_->execute("PRAGMA synchronous = NORMAL");
  Statement count = sql_->prepare("SELECT count(*) FROM sqlite_master");
  count.step();
  if (count.integer(0) == 0) {
    Transaction all(*sql_);
    sql_->execute(tables_sql());
    note("format", format_name);
    note("version", format_version);
    all.commit();
    return;
  }
  Statement ours =
      sql_->prepare("SELECT count(*) FROM sqlite_master WHERE name = 'sweep' AND type = 'table'");
  ours.step();
  if (ours.integer(0) == 0) throw hw::InputError(path() + ": is no database of a sweep");
  Statement version = sql_->prepare("SELECT value FROM sweep WHERE name = 'version'");
  if (!version.step() || version.text(0) != format_version)
    throw hw::InputError(path() +
                         ": was written by another version of fredsim; begin anew with another --out");
}

SweepDatabase::~SweepDatabase() {
  sql_.reset();
  if (lock_ >= 0) close(lock_);
}

std::string SweepDatabase::path() const {
  return (fs::path(folder_) / "sweep.sqlite").string();
}

/// A lock of the folder itself, which ends with this process however that ends.
void SweepDatabase::lock() {
  lock_ = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) throw hw::InputError(fmt::format("--out {}: {}", folder_, std::strerror(errno)));
  if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  const std::string why = errno == EWOULDBLOCK ? "another sweep is at work here" : std::strerror(errno);
  close(lock_);
  throw hw::InputError(fmt::format("--out {}: {}", folder_, why));
}

void SweepDatabase::note(const std::string& name, const std::string& value) {
  sql_->prepare("INSERT OR REPLACE INTO sweep VALUES (?, ?)").bind(1, name).bind(2, value).run();
}

void SweepDatabase::begin(const SweepFile& sweep, const std::string& program_version) {
  Transaction all(*sql_);
  note("name", sweep.name);
  note("file", sweep.path);
  note("text", sweep.text);
  note("program", program_version);
  sql_->execute(
      "DELETE FROM axes; DELETE FROM answers; DELETE FROM answer_points; UPDATE points SET number = NULL");
  std::int64_t number = 0;
  for (const AxisKey* key : swept_keys(sweep)) {
    sql_->prepare("INSERT INTO axes VALUES (?, ?, ?, ?)")
        .bind(1, ++number)
        .bind(2, key->key)
        .bind(3, key->parameter ? std::string(to_string(key->parameter->type)) : "file")
        .bind(4, key->parameter ? std::string(suffix_of(key->parameter->type)) : "")
        .run();
  }
  result_paths_.clear();
  for (const ResultName& result : sweep.results) result_paths_[result.name] = result.path;
  // The file may name other results than it did when the points were run.
  sql_->execute("DELETE FROM metrics");
  Statement results = sql_->prepare("SELECT point, json FROM results");
  while (results.step()) store_metrics(results.integer(0), Json::parse(results.text(1)));
  sql_->execute(views_sql(sweep));
  all.commit();
  next_number_ = 1;
}

std::vector<std::int64_t> SweepDatabase::add(const std::vector<const Point*>& points, const char* origin) {
  Transaction all(*sql_);
  Statement find = sql_->prepare("SELECT id, number FROM points WHERE key = ?");
  Statement insert = sql_->prepare(
      "INSERT INTO points (key, config, trace, schedule, command, state) VALUES (?, ?, ?, ?, ?, 'waiting')");
  Statement place = sql_->prepare("UPDATE points SET number = ?, origin = ? WHERE id = ?");
  Statement parameter = sql_->prepare("INSERT OR REPLACE INTO parameters VALUES (?, ?, ?, ?, ?)");
  std::vector<std::int64_t> ids;
  for (const Point* given : points) {
    const Point& point = *given;
    std::optional<std::int64_t> id;
    bool placed = false;
    find.bind(1, point.key);
    while (find.step()) {
      id = find.integer(0);
      placed = !find.is_null(1);
    }
    if (!id) {
      insert.bind(1, point.key).bind(2, point.config).bind(3, point.trace).bind(4, point.schedule);
      insert.bind(5, point.command()).run();
      id = sql_->last_row();
    }
    ids.push_back(*id);
    if (placed) continue;
    place.bind(1, next_number_++).bind(2, std::string(origin)).bind(3, *id).run();
    std::set<std::string> swept;
    for (const Choice& choice : point.choices) swept.insert(choice.key);
    for (const auto& [what, value] : point.parameters) {
      parameter.bind(1, *id).bind(2, what->key).bind(3, value).bind(4, number_of(what->type, value));
      parameter.bind(5, static_cast<std::int64_t>(swept.count(what->key))).run();
    }
  }
  all.commit();
  return ids;
}

bool SweepDatabase::is_done(std::int64_t id) {
  Statement state = sql_->prepare("SELECT state = 'done' FROM points WHERE id = ?");
  return state.bind(1, id).step() && state.integer(0) != 0;
}

void SweepDatabase::store(std::int64_t id, const RunOutcome& outcome) {
  const int code = outcome.exit_code.value_or(-1);
  std::optional<Json> json;
  if (code == 0 || code == 1 || code == 3) json = parsed(outcome.result);
  Transaction all(*sql_);
  Statement state =
      sql_->prepare("UPDATE points SET state = ?, status = ?, exit_code = ?, reason = ? WHERE id = ?");
  state.bind(1, std::string(json ? "done" : "failed"));
  state.bind(2, json ? std::optional<std::string>(json->at("status").get<std::string>()) : std::nullopt);
  state.bind(3, outcome.exit_code ? std::optional<std::int64_t>(*outcome.exit_code) : std::nullopt);
  state.bind(4, json ? std::nullopt : std::optional<std::string>(reason_of(outcome)));
  state.bind(5, id).run();
  const auto number = [&](const char* key) -> std::optional<double> {
    if (!json || !json->contains("performance")) return std::nullopt;
    return json->at("performance").value(key, 0.0);
  };
  sql_->prepare("INSERT OR REPLACE INTO timing VALUES (?, ?, ?, ?, ?, ?)")
      .bind(1, id)
      .bind(2, outcome.wall_s)
      .bind(3, outcome.cpu_s)
      .bind(4, outcome.peak_rss_bytes)
      .bind(5, number("wall_s"))
      .bind(6, number("packet_hops"))
      .run();
  if (json) {
    json->erase("performance");
    json->erase("command");  // the table of points has it, and files may be named otherwise next time
    sql_->prepare("INSERT OR REPLACE INTO results VALUES (?, ?)").bind(1, id).bind(2, json->dump()).run();
    store_metrics(id, *json);
  }
  all.commit();
}

void SweepDatabase::store_metrics(std::int64_t id, const Json& result) {
  Statement insert = sql_->prepare("INSERT OR REPLACE INTO metrics VALUES (?, ?, ?)");
  const auto add = [&](const std::string& name, std::optional<double> value) {
    if (value) insert.bind(1, id).bind(2, name).bind(3, *value).run();
  };
  for (const Metric& metric : ready_metrics()) add(metric.name, metric.of(result));
  for (const auto& [name, path] : result_paths_) add(name, ResultPath(path).in(result));
}

void SweepDatabase::store(std::size_t goal, const std::string& text, const std::vector<Answer>& answers) {
  Transaction all(*sql_);
  for (const Answer& answer : answers) {
    sql_->prepare("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(1, static_cast<std::int64_t>(goal))
        .bind(2, text)
        .bind(3, answer.combination)
        .bind(4, answer.key)
        .bind(5, answer.value)
        .bind(6, answer.number)
        .bind(7, answer.point)
        .bind(8, answer.reason.empty() ? std::nullopt : std::optional<std::string>(answer.reason))
        .run();
    for (const std::int64_t point : answer.rests_on) {
      sql_->prepare("INSERT INTO answer_points VALUES (?, ?, ?)")
          .bind(1, static_cast<std::int64_t>(goal))
          .bind(2, answer.combination)
          .bind(3, point)
          .run();
    }
  }
  all.commit();
}

}  // namespace fredsim::tb
