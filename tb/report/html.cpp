#include "tb/report/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "tb/report/style.h"

namespace fredsim::tb::report {
namespace {

void flatten(const Json& object, const std::string& prefix,
             std::vector<std::pair<std::string, Json>>& cells) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) {
      flatten(value, prefix + key + ".", cells);
    } else if (value.is_array()) {
      std::string joined;
      for (const Json& item : value) joined += (joined.empty() ? "" : " ") + shown(item);
      cells.emplace_back(prefix + key, joined);
    } else {
      cells.emplace_back(prefix + key, value);
    }
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string shown(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::uint64_t whole(const Json& value) {
  if (!value.is_number_unsigned())
    throw Json::type_error::create(302, shown(value) + " is no whole number from 0 on", &value);
  return value.get<std::uint64_t>();
}

std::string code(std::string_view text) {
  return "<code>" + escaped(text) + "</code>";
}

std::string Table::html(std::size_t most) const {
  std::string text = "<div class=\"wide\"><table><thead><tr>";
  for (const std::string& heading : headings_)
    text += "<th scope=\"col\"><button>" + escaped(heading) + "</button></th>";
  text += "</tr></thead><tbody>\n";
  for (std::size_t r = 0; r < std::min(most, rows_.size()); ++r) {
    text += "<tr>";
    for (const Json& value : rows_[r])
      text += (value.is_number() ? "<td class=\"n\">" : "<td>") + escaped(shown(value)) + "</td>";
    text += "</tr>\n";
  }
  text += "</tbody></table></div>\n";
  if (rows_.size() > most) {
    text += fmt::format("<p class=\"note\">The first {} of {} rows; the result file has all.</p>\n", most,
                        rows_.size());
  }
  return text;
}

Table table_of(const Json& list) {
  std::vector<std::string> headings;
  std::vector<std::vector<std::pair<std::string, Json>>> rows;
  for (const Json& object : list) {
    flatten(object, "", rows.emplace_back());
    for (const auto& [key, value] : rows.back()) {
      if (std::find(headings.begin(), headings.end(), key) == headings.end()) headings.push_back(key);
    }
  }
  Table table(headings);
  for (const auto& cells : rows) {
    std::vector<Json> row(headings.size());
    for (const auto& [key, value] : cells) {
      row[static_cast<std::size_t>(std::find(headings.begin(), headings.end(), key) - headings.begin())] =
          value;
    }
    table.add(std::move(row));
  }
  return table;
}

std::string figure(const std::string& picture, const std::string& caption) {
  return "<figure>\n<div class=\"wide\">" + picture + "</div>\n<figcaption>" + caption +
         "</figcaption></figure>\n";
}

std::string details(const std::string& summary, const std::string& content, bool open) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", open ? " open" : "", summary,
                     content);
}

std::string page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\">\n<link rel=\"icon\" "
      "href=\"data:,\">\n<title>{}</title>\n<style>\n{}</style></head>\n"
      "<body>\n{}<script>\n{}</script>\n</body></html>\n",
      escaped(title), style_sheet, body, sort_script);
}

}  // namespace fredsim::tb::report
