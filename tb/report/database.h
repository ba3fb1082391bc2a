#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tb/report/html.h"

struct sqlite3;

namespace fredsim::tb::report {

/// An SQLite file, read only.
class Database {
 public:
  /// Throws InputError for a file that is no database.
  explicit Database(const std::string& path);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  struct Answer {
    std::vector<std::string> columns;
    std::vector<std::vector<Json>> rows;

    /// The place of a column; columns.size() if there is none.
    std::size_t column(const std::string& name) const;
  };
  /// Throws InputError, with the file, for what the database cannot answer.
  Answer ask(const std::string& sql) const;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  sqlite3* handle_ = nullptr;
};

}  // namespace fredsim::tb::report
