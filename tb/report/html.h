#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fredsim::tb::report {

using Json = nlohmann::ordered_json;

/// Text as it may stand in HTML, attributes included.
std::string escaped(std::string_view text);
/// A value as a result file has it, without the quotes of text; nothing for null.
std::string shown(const Json& value);
/// A whole number from 0 on. Throws Json::type_error for anything else.
std::uint64_t whole(const Json& value);
/// A key as a heading: dots and underscores as they are, since they are what the JSON says.
std::string code(std::string_view text);

/// A table whose rows are sorted by a click on a column's heading.
class Table {
 public:
  explicit Table(std::vector<std::string> headings) : headings_(std::move(headings)) {}

  /// One value a heading; null leaves the cell empty.
  void add(std::vector<Json> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  std::size_t rows() const { return rows_.size(); }
  /// Of more than `most` rows the first are shown, and how many there are is said.
  std::string html(std::size_t most = 1000) const;

 private:
  std::vector<std::string> headings_;
  std::vector<std::vector<Json>> rows_;
};

/// A table of a list of objects, a row an object, nested objects as `key.inner`; lists are joined by blanks.
Table table_of(const Json& list);

/// `<figure>` with a caption.
std::string figure(const std::string& picture, const std::string& caption);
/// A section that can be folded, open at first or not; print shows it open.
std::string details(const std::string& summary, const std::string& content, bool open);

/// The whole page: `body` in a document with styles and the script that sorts tables. Nothing in it refers to
/// anything outside.
std::string page(const std::string& title, const std::string& body);

}  // namespace fredsim::tb::report
