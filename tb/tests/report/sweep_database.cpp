#include "tb/tests/report/sweep_database.h"

#include <sqlite3.h>

#include <algorithm>
#include <stdexcept>

namespace fredsim::tb::test {
namespace {

class Writer {
 public:
  explicit Writer(const std::string& path) {
    if (sqlite3_open(path.c_str(), &handle_) != SQLITE_OK) throw std::runtime_error("cannot write " + path);
  }
  ~Writer() { sqlite3_close(handle_); }
  void run(const std::string& sql) {
    char* error = nullptr;
    if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &error) != SQLITE_OK)
      throw std::runtime_error(sql + ": " + error);
  }

 private:
  sqlite3* handle_ = nullptr;
};

}  // namespace

void write_sweep(const std::string& path) {
  Writer db(path);
  db.run(
      "CREATE TABLE sweep(name, value); INSERT INTO sweep VALUES ('format', 'fredsim-sweep'), ('version', "
      "'1'), "
      "('name', 'buffers'), ('file', 'buffers.yaml'), ('text', 'config: a.yaml <here>'), ('program', '1')");
  db.run(
      "CREATE TABLE axes(number, key, type, suffix); INSERT INTO axes VALUES (1, 'buffer.dp', 'capacity', "
      "'_bytes')");
  db.run(
      "CREATE TABLE points(id, number, origin, config, trace, schedule, command, state, status, exit_code, "
      "reason)");
  db.run("CREATE TABLE results(point, json)");
  db.run("CREATE TABLE answers(goal, text, combination, key, value, number, point, reason)");
  db.run("CREATE TABLE metrics(point, name, value)");
  for (int n = 1; n <= 8; ++n) {
    const std::string id = std::to_string(n);
    const std::string ns = std::to_string(800.0 / std::min(n, 6));
    db.run("INSERT INTO points VALUES (" + id + ", " + id +
           ", 'sweep', 'a.yaml', 't.jsonl', NULL, 'fredsim run a.yaml "
           "--set ''buffer.dp=" +
           std::to_string(4 * n) + " KiB''', 'done', 'ok', 0, NULL)");
    db.run("INSERT INTO metrics VALUES (" + id + ", 'simulated_ns', " + ns + ")");
    db.run("INSERT INTO results VALUES (" + id + ", '{\"simulated_ns\": " + ns +
           ", \"cost\": {\"area_mm2\": " + std::to_string(100 + n) + ", \"energy_j\": 0.5}}')");
  }
  db.run(
      "CREATE VIEW summary AS SELECT id AS point, number, origin, (4 * number) || ' KiB' AS \"buffer.dp\", "
      "4096 * "
      "number AS \"buffer.dp_bytes\", state, status, reason, (SELECT value FROM metrics WHERE metrics.point "
      "= "
      "points.id) AS simulated_ns FROM points WHERE number IS NOT NULL");
  db.run(
      "CREATE VIEW failures AS SELECT id AS point, number, command, state, status, exit_code, reason FROM "
      "points "
      "WHERE state != 'done'");
  db.run(
      "INSERT INTO answers VALUES (1, 'minimize buffer.dp subject to simulated_ns', '', 'buffer.dp', '24 "
      "KiB', 24576, "
      "6, NULL)");
}

}  // namespace fredsim::tb::test
