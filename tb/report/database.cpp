#include "tb/report/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>

#include "hw/core/error.h"

namespace fredsim::tb::report {
namespace {

Json value_of(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return static_cast<std::int64_t>(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_TEXT:
      return std::string(reinterpret_cast<const char*>(sqlite3_column_text(statement, column)),
                         static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
    default:
      return nullptr;
  }
}

}  // namespace

Database::Database(const std::string& path) : path_(path) {
  if (sqlite3_open_v2(path.c_str(), &handle_, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) return;
  const std::string reason = sqlite3_errmsg(handle_);
  sqlite3_close(handle_);
  throw hw::InputError(fmt::format("{}: cannot be opened: {}", path, reason));
}

Database::~Database() {
  sqlite3_close(handle_);
}

std::size_t Database::Answer::column(const std::string& name) const {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
}

Database::Answer Database::ask(const std::string& sql) const {
  const auto refuse = [this] {
    throw hw::InputError(fmt::format("{}: is no database of this version's `fredsim sweep`: {}", path_,
                                     sqlite3_errmsg(handle_)));
  };
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &raw, nullptr) != SQLITE_OK) refuse();
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
  Answer answer;
  const int columns = sqlite3_column_count(raw);
  for (int c = 0; c < columns; ++c) answer.columns.emplace_back(sqlite3_column_name(raw, c));
  int code = sqlite3_step(raw);
  for (; code == SQLITE_ROW; code = sqlite3_step(raw)) {
    std::vector<Json> row;
    for (int c = 0; c < columns; ++c) row.push_back(value_of(raw, c));
    answer.rows.push_back(std::move(row));
  }
  if (code != SQLITE_DONE) refuse();
  return answer;
}

}  // namespace fredsim::tb::report
