#include "tb/cli/describe_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <string_view>
#include <vector>

#include "tb/cli/module_text.h"
#include "tb/configuration/declaration.h"
#include "tb/configuration/effective.h"
#include "tb/configuration/parameter.h"

namespace fredsim::tb {
namespace {

using nlohmann::ordered_json;

/// The first two cells of a row are padded to their column, the third is wrapped in what is left of the line.
struct Row {
  std::string first, second, third;
};

/// `text` broken at blanks into lines of at most `width` characters, all but the first indented.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::istringstream words(text);
  std::string result, word;
  std::size_t column = indent;
  while (words >> word) {
    if (column > indent && column + 1 + word.size() > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

class Columns {
 public:
  Columns(const std::vector<Row>& rows, std::size_t width) : width_(width) {
    for (const Row& row : rows) {
      first_ = std::max(first_, row.first.size());
      second_ = std::max(second_, row.second.size());
    }
  }
  std::string line(const Row& row) const {
    const std::string begin = fmt::format("  {:<{}}  {:<{}}  ", row.first, first_, row.second, second_);
    return begin + wrapped(row.third, begin.size(), width_) + "\n";
  }

 private:
  std::size_t width_;
  std::size_t first_ = 0;
  std::size_t second_ = 0;
};

/// Calls `heading` before the first parameter of a topic and `each` for every parameter.
void by_topic(const std::function<void(std::string_view title)>& heading,
              const std::function<void(const Parameter&)>& each) {
  const Parameter* previous = nullptr;
  for (const Parameter& parameter : declared_parameters()) {
    if (previous == nullptr || topic_of(*previous) != topic_of(parameter))
      heading(topic_title(topic_of(parameter)));
    each(parameter);
    previous = &parameter;
  }
}

std::string in_brackets(const std::string& text) {
  return text.empty() ? "" : " [" + text + "]";
}

std::string cell(const std::string& text) {
  return text.empty() ? " |" : " " + text + " |";
}

std::string scalar_text(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// A list of objects as a table: an object a column, headed by its first value, a key a row.
void append_table(const ordered_json& columns, std::size_t indent, std::string& text) {
  std::vector<std::string> keys;
  for (const ordered_json& column : columns) {
    for (const auto& [key, value] : column.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  const auto at = [](const ordered_json& column, const std::string& key) {
    return column.contains(key) ? scalar_text(column[key]) : "";
  };
  std::size_t first = 0;
  for (const std::string& key : keys) first = std::max(first, key.size());
  for (const std::string& key : keys) {
    std::string line = fmt::format("{:{}}{:<{}}", "", indent, key, first);
    for (const ordered_json& column : columns) {
      std::size_t width = 0;
      for (const std::string& other : keys) width = std::max(width, at(column, other).size());
      line += fmt::format("  {:>{}}", at(column, key), width);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
}

void append_values(const ordered_json& values, std::size_t indent, std::string& text) {
  for (const auto& [key, value] : values.items()) {
    text += std::string(indent, ' ') + key + ":";
    if (value.is_object()) {
      text += '\n';
      append_values(value, indent + 2, text);
    } else if (value.is_array()) {
      text += '\n';
      append_table(value, indent + 2, text);
    } else {
      text += " " + scalar_text(value) + "\n";
    }
  }
}

}  // namespace

std::string parameters_text(std::size_t width) {
  std::vector<Row> rows{{"parameter", "default", "type: what is allowed"}};
  for (const Parameter& parameter : declared_parameters()) {
    const std::string allowed = allowed_text(parameter);
    rows.push_back({parameter.key, default_text(parameter),
                    type_text(parameter) + (allowed.empty() ? "" : ": " + allowed)});
  }
  const Columns columns(rows, width);
  constexpr std::size_t indent = 6;
  std::string text;
  std::size_t row = 1;
  by_topic(
      [&](std::string_view title) {
        text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", title, columns.line(rows[0]));
      },
      [&](const Parameter& parameter) {
        text += columns.line(rows[row++]);
        text += std::string(indent, ' ') +
                wrapped(meaning_text(parameter) + in_brackets(parameter.source), indent, width) + "\n";
      });
  return text;
}

std::string parameters_markdown() {
  std::string text;
  by_topic(
      [&](std::string_view title) {
        text += fmt::format(
            "{}### {}\n\n| key | type | default | allowed | meaning | source of the default |\n"
            "|---|---|---|---|---|---|\n",
            text.empty() ? "" : "\n", title);
      },
      [&](const Parameter& parameter) {
        text += fmt::format("| `{}` |{}{}{}{}{}\n", parameter.key, cell(type_text(parameter)),
                            cell(default_text(parameter)), cell(allowed_text(parameter)),
                            cell(meaning_text(parameter)), cell(parameter.source));
      });
  return text;
}

ordered_json parameters_json() {
  ordered_json list = ordered_json::array();
  for (const Parameter& parameter : declared_parameters()) {
    ordered_json entry{
        {"key", parameter.key}, {"type", to_string(parameter.type)}, {"required", parameter.required}};
    const auto add = [&](const char* name, const std::string& text) {
      if (!text.empty()) entry[name] = text;
    };
    add("unit", parameter.unit);
    if (!parameter.only_in.empty()) {
      std::vector<std::string> systems;
      for (const SystemKind kind : parameter.only_in)
        systems.push_back(names_of<SystemKind>()[static_cast<std::size_t>(kind)]);
      entry["system"] = fmt::format("{}", fmt::join(systems, ", "));
    }
    if (parameter.is_family()) entry["levels"] = {parameter.first_level, parameter.last_level};
    add("default", parameter.default_text);
    add("default_from", parameter.default_from);
    add("minimum", parameter.minimum);
    add("maximum", parameter.maximum);
    if (!parameter.choices.empty()) entry["choices"] = parameter.choices;
    add("allowed", allowed_text(parameter));
    add("meaning", meaning_text(parameter));
    add("source", parameter.source);
    list.push_back(std::move(entry));
  }
  return {{"format", "fredsim-parameters"}, {"version", 1}, {"parameters", std::move(list)}};
}

std::string description_text(const Configuration& configuration, const ordered_json& system) {
  std::vector<Row> rows{{"parameter", "value", "from"}};
  for (const EffectiveValue& value : configuration.effective())
    rows.push_back({value.key, value.value, value.from});
  // Places are paths, which are not to be broken.
  const Columns columns(rows, std::string::npos);
  std::string text = fmt::format("Configuration {}\n", configuration.source);
  for (const Row& row : rows) text += columns.line(row);
  if (system.contains("modules")) {
    text += "\nModules\n";
    text += modules_text(system["modules"], 2);
  }
  if (system.contains("hardware")) {
    text += "\nHardware\n";
    append_values(system["hardware"], 2, text);
  }
  if (system.contains("workload")) {
    text += "\nWorkload\n";
    append_values(system["workload"], 2, text);
  }
  return text;
}

ordered_json description_json(const Configuration& configuration, const ordered_json& system) {
  ordered_json json{{"format", "fredsim-description"}, {"version", 1}, {"source", configuration.source}};
  json["config"] = effective_json(configuration);
  for (const EffectiveValue& value : configuration.effective()) json["origin"][value.key] = value.from;
  for (const char* part : {"modules", "hardware", "workload"}) {
    if (system.contains(part)) json[part] = system[part];
  }
  return json;
}

}  // namespace fredsim::tb
