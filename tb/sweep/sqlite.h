#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace fredsim::tb {

/// A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement {
 public:
  Statement& bind(int number, const std::string& text);
  Statement& bind(int number, double value);
  Statement& bind(int number, std::int64_t value);
  Statement& bind_null(int number);
  template <class Value>
  Statement& bind(int number, const std::optional<Value>& value) {
    return value ? bind(number, *value) : bind_null(number);
  }
  /// Advances to the next row; false when there is none. Then the statement can be bound and run anew.
  bool step();
  /// Runs a statement without rows.
  void run();

  bool is_null(int column) const;
  std::string text(int column) const;
  double real(int column) const;
  std::int64_t integer(int column) const;
  int columns() const;
  std::string name(int column) const;
  /// The value as text, a real with as many digits as parse to the same; nothing for null.
  std::string printed(int column) const;

 private:
  friend class Sqlite;
  Statement(sqlite3* database, const std::string& sql);
  void check(int result) const;

  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement_;
};

/// One SQLite file. What SQLite refuses is thrown as InputError with the file's name: it is a file that
/// cannot be written or is no database.
class Sqlite {
 public:
  /// Opens the file, or makes it.
  explicit Sqlite(const std::string& path);

  void execute(const std::string& sql);
  Statement prepare(const std::string& sql);
  std::int64_t last_row() const;

 private:
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
};

/// All or nothing: what is done until `commit` is undone without it.
class Transaction {
 public:
  explicit Transaction(Sqlite& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Sqlite& database_;
  bool committed_ = false;
};

/// A name as SQL takes it, in double quotes.
std::string sql_name(const std::string& name);

}  // namespace fredsim::tb
