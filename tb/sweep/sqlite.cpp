#include "tb/sweep/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include "hw/core/error.h"

namespace fredsim::tb {
namespace {

/// How long another program may keep the file locked.
constexpr int patience_ms = 10'000;

[[noreturn]] void refuse(sqlite3* database) {
  const char* file = sqlite3_db_filename(database, "main");
  throw hw::InputError(fmt::format("{}: {}", file ? file : "database", sqlite3_errmsg(database)));
}

}  // namespace

Statement::Statement(sqlite3* database, const std::string& sql)
    : database_(database), statement_(nullptr, sqlite3_finalize) {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr));
  statement_.reset(statement);
}

void Statement::check(int result) const {
  if (result != SQLITE_OK) refuse(database_);
}

Statement& Statement::bind(int number, const std::string& text) {
  check(
      sqlite3_bind_text64(statement_.get(), number, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(int number, double value) {
  check(sqlite3_bind_double(statement_.get(), number, value));
  return *this;
}

Statement& Statement::bind(int number, std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), number, value));
  return *this;
}

Statement& Statement::bind_null(int number) {
  check(sqlite3_bind_null(statement_.get(), number));
  return *this;
}

bool Statement::step() {
  const int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) refuse(database_);
  check(sqlite3_reset(statement_.get()));
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::string Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return data ? std::string(data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)))
              : "";
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

int Statement::columns() const {
  return sqlite3_column_count(statement_.get());
}

std::string Statement::name(int column) const {
  return sqlite3_column_name(statement_.get(), column);
}

std::string Statement::printed(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_FLOAT) return fmt::format("{}", real(column));
  return text(column);
}

Sqlite::Sqlite(const std::string& path) : database_(nullptr, sqlite3_close) {
  sqlite3* database = nullptr;
  const int result = sqlite3_open(path.c_str(), &database);
  database_.reset(database);
  if (result != SQLITE_OK) throw hw::InputError(fmt::format("{}: {}", path, sqlite3_errmsg(database)));
  sqlite3_busy_timeout(database, patience_ms);
}

void Sqlite::execute(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    refuse(database_.get());
}

Statement Sqlite::prepare(const std::string& sql) {
  return {database_.get(), sql};
}

std::int64_t Sqlite::last_row() const {
  return sqlite3_last_insert_rowid(database_.get());
}

Transaction::Transaction(Sqlite& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (committed_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const hw::InputError&) {
    // SQLite has undone it by itself.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  committed_ = true;
}

std::string sql_name(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace fredsim::tb
