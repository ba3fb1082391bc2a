#include "tb/sweep/schema.h"

#include <fmt/format.h>

#include "tb/sweep/metrics.h"
#include "tb/sweep/number.h"
#include "tb/sweep/sqlite.h"

namespace fredsim::tb {
namespace {

const char* const tables = R"sql(
CREATE TABLE sweep (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE axes (number INTEGER PRIMARY KEY, key TEXT, type TEXT, suffix TEXT);
CREATE TABLE points (id INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER, origin TEXT, key TEXT UNIQUE, config TEXT,
  trace TEXT, schedule TEXT, command TEXT, state TEXT NOT NULL, status TEXT, exit_code INTEGER, reason TEXT);
CREATE TABLE parameters (point INTEGER REFERENCES points(id), key TEXT, value TEXT, number REAL, swept INTEGER,
  PRIMARY KEY (point, key)) WITHOUT ROWID;
CREATE TABLE metrics (point INTEGER REFERENCES points(id), name TEXT, value REAL, PRIMARY KEY (point, name))
  WITHOUT ROWID;
CREATE TABLE results (point INTEGER PRIMARY KEY REFERENCES points(id), json TEXT);
CREATE TABLE timing (point INTEGER PRIMARY KEY REFERENCES points(id), wall_s REAL, cpu_s REAL, peak_rss_bytes INTEGER,
  simulation_s REAL, packet_hops INTEGER);
CREATE TABLE answers (goal INTEGER, text TEXT, combination TEXT, key TEXT, value TEXT, number REAL,
  point INTEGER REFERENCES points(id), reason TEXT);
CREATE TABLE answer_points (goal INTEGER, combination TEXT, point INTEGER REFERENCES points(id));
)sql";

/// A view of one list of the results: its name, the list, and the columns as name and path.
struct ListView {
  const char* name;
  const char* list;
  std::vector<std::pair<const char*, const char*>> columns;
};

const std::vector<ListView>& list_views() {
  static const std::vector<ListView> views = {
      {"operations",
       "operations",
       {{"id", "id"},
        {"type", "type"},
        {"class", "class"},
        {"bytes", "bytes"},
        {"start_ns", "start_ns"},
        {"end_ns", "end_ns"},
        {"algorithm", "algorithm"},
        {"algbw_gbytes_per_s", "algbw_gbytes_per_s"},
        {"busbw_gbytes_per_s", "busbw_gbytes_per_s"}}},
      {"flows",
       "flows",
       {{"id", "id"},
        {"class", "class"},
        {"packets", "packets"},
        {"min_ns", "latency_ns.min"},
        {"mean_ns", "latency_ns.mean"},
        {"p50_ns", "latency_ns.p50"},
        {"p95_ns", "latency_ns.p95"},
        {"p99_ns", "latency_ns.p99"},
        {"max_ns", "latency_ns.max"},
        {"queued_ns", "queued_ns"}}},
      {"npus",
       "npus",
       {{"id", "id"},
        {"compute_ns", "compute_ns"},
        {"exposed_mp_ns", "exposed_ns.mp"},
        {"exposed_pp_ns", "exposed_ns.pp"},
        {"exposed_dp_ns", "exposed_ns.dp"},
        {"exposed_stream_ns", "exposed_ns.stream"},
        {"exposed_load_ns", "exposed_ns.load"},
        {"sent_bytes", "sent_bytes"},
        {"received_bytes", "received_bytes"}}},
      {"buffers",
       "buffers",
       {{"name", "name"},
        {"vc", "vc"},
        {"capacity_bytes", "capacity_bytes"},
        {"peak_bytes", "peak_bytes"},
        {"mean_bytes", "mean_bytes"},
        {"full_ns", "full_ns"}}},
      {"switches",
       "switches",
       {{"name", "name"},
        {"reductions", "reductions"},
        {"reconfigurations", "reconfigurations"},
        {"reconfiguring_ns", "reconfiguring_ns"},
        {"preemptions", "preemptions"},
        {"partner_missing_ns", "stalled_ns.partner_missing"},
        {"other_route_set_ns", "stalled_ns.other_route_set"},
        {"no_staging_ns", "stalled_ns.no_staging"}}},
      {"sites",
       "sites",
       {{"name", "name"},
        {"compute_ns", "compute_ns"},
        {"waiting_ns", "waiting_ns"},
        {"sent_bytes", "sent_bytes"},
        {"received_bytes", "received_bytes"}}},
      {"aggregators",
       "aggregators",
       {{"name", "name"},
        {"memory_bytes", "memory_bytes"},
        {"peak_bytes", "peak_bytes"},
        {"full_ns", "full_ns"},
        {"dropped", "dropped"},
        {"bypassed", "bypassed"},
        {"resent", "resent"},
        {"late", "late"},
        {"duplicates", "duplicates"}}},
      {"links",
       "links",
       {{"name", "name"},
        {"bytes", "bytes"},
        {"packets", "packets"},
        {"utilization", "utilization"},
        {"no_credit_ns", "stalled_ns.no_credit"},
        {"link_busy_ns", "stalled_ns.link_busy"}}},
  };
  return views;
}

std::string list_view_sql(const ListView& view) {
  std::string columns;
  for (const auto& [name, path] : view.columns)
    columns += fmt::format(", e.value ->> '$.{}' AS {}", path, name);
  if (std::string(view.name) == "links")
    columns +=
        ", (SELECT max(v.value) FROM json_each(e.value, '$.peak_outstanding_bytes') v) AS "
        "peak_outstanding_bytes";
  return fmt::format(
      "CREATE VIEW {} AS SELECT r.point AS point, e.key AS item{} FROM results r JOIN points p ON p.id = "
      "r.point, "
      "json_each(r.json, '$.{}') e WHERE p.number IS NOT NULL;\n",
      view.name, columns, view.list);
}

const char* const other_views = R"sql(
CREATE VIEW failures AS SELECT id AS point, number, command, state, status, exit_code, reason FROM points
  WHERE number IS NOT NULL AND (state = 'failed' OR status IN ('wrong_data', 'unfinished')) ORDER BY number;
CREATE VIEW bottlenecks AS
  WITH l AS MATERIALIZED (SELECT point, name, utilization, no_credit_ns,
      row_number() OVER (PARTITION BY point ORDER BY utilization DESC, item) AS busy,
      row_number() OVER (PARTITION BY point ORDER BY no_credit_ns DESC, item) AS short FROM links)
  SELECT p.id AS point, p.number AS number, b.name AS link, b.utilization AS utilization,
    CASE WHEN s.no_credit_ns > 0 THEN s.name END AS short_of_credit, s.no_credit_ns AS no_credit_ns
  FROM points p JOIN l b ON b.point = p.id AND b.busy = 1 JOIN l s ON s.point = p.id AND s.short = 1
  WHERE p.number IS NOT NULL ORDER BY p.number;
)sql";

std::string sql_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

std::string summary_sql(const SweepFile& sweep) {
  std::string columns = "p.id AS point, p.number AS number, p.origin AS origin";
  const auto add_key = [&](const AxisKey& key) {
    if (!key.parameter) {
      columns += fmt::format(", p.{0} AS {0}", key.key);
      return;
    }
    const std::string from =
        fmt::format("FROM parameters a WHERE a.point = p.id AND a.key = {}", sql_text(key.key));
    columns += fmt::format(", (SELECT a.value {}) AS {}", from, sql_name(key.key));
    const std::string suffix(suffix_of(key.parameter->type));
    if (!suffix.empty())
      columns += fmt::format(", (SELECT a.number {}) AS {}", from, sql_name(key.key + suffix));
  };
  for (const AxisKey* key : swept_keys(sweep)) add_key(*key);
  columns += ", p.state AS state, p.status AS status, p.reason AS reason";
  for (const std::string& name : metric_names(sweep)) {
    columns += fmt::format(", (SELECT m.value FROM metrics m WHERE m.point = p.id AND m.name = {}) AS {}",
                           sql_text(name), sql_name(name));
  }
  return fmt::format(
      "CREATE VIEW summary AS SELECT {} FROM points p WHERE p.number IS NOT NULL ORDER BY p.number;\n",
      columns);
}

}  // namespace

std::string tables_sql() {
  return tables;
}

std::string views_sql(const SweepFile& sweep) {
  std::string sql =
      "DROP VIEW IF EXISTS bottlenecks; DROP VIEW IF EXISTS failures; DROP VIEW IF EXISTS summary;\n";
  for (const ListView& view : list_views()) sql += fmt::format("DROP VIEW IF EXISTS {};\n", view.name);
  for (const ListView& view : list_views()) sql += list_view_sql(view);
  return sql + other_views + summary_sql(sweep);
}

std::vector<std::string> metric_names(const SweepFile& sweep) {
  std::vector<std::string> names;
  for (const Metric& metric : ready_metrics()) names.push_back(metric.name);
  for (const ResultName& result : sweep.results) names.push_back(result.name);
  return names;
}

}  // namespace fredsim::tb
