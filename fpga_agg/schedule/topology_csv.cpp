#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "fpga_agg/schedule/topology_builder.h"
#include "hw/core/error.h"
#include "hw/core/nearest.h"

namespace fredsim::agg {
namespace {

const std::vector<std::string> columns = {"from",           "to",        "one_way_ms", "latency",
                                          "bandwidth_gbps", "bandwidth", "basis",      "source"};

struct Cell {
  std::string text;
  std::string place;
};

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// The cells of one line. A cell may stand in double quotes, with doubled ones inside (RFC 4180).
std::vector<Cell> cells_of(const std::string& line, const std::string& name, std::size_t number) {
  std::vector<Cell> cells;
  std::size_t at = 0;
  while (true) {
    Cell cell;
    cell.place = fmt::format("{}:{}:{}", name, number, at + 1);
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at >= line.size()) throw hw::InputError(cell.place + ": the quote \" is not closed");
        if (line[at] == '"') {
          if (at + 1 >= line.size() || line[at + 1] != '"') break;
          ++at;
        }
        cell.text += line[at];
      }
      ++at;
      if (at < line.size() && line[at] != ',' && line[at] != '\r') {
        throw hw::InputError(cell.place + ": a comma is missing behind the quote");
      }
    }
    const std::size_t end = std::min(line.find(',', at), line.size());
    if (cell.text.empty()) cell.text = trimmed(line.substr(at, end - at));
    cells.push_back(cell);
    if (end == line.size()) return cells;
    at = end + 1;
  }
}

/// Which cell of a line holds a column; each at most once.
class Header {
 public:
  Header(const std::vector<Cell>& cells, const std::string& place)
      : at_(columns.size()), count_(cells.size()) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto found = std::find(columns.begin(), columns.end(), cells[i].text);
      if (found == columns.end()) {
        throw hw::InputError(fmt::format("{}: no column is named '{}'{}; known are {}", cells[i].place,
                                         cells[i].text.substr(0, 40),
                                         hw::did_you_mean(cells[i].text, columns), fmt::join(columns, ", ")));
      }
      auto& at = at_[static_cast<std::size_t>(found - columns.begin())];
      if (at) throw hw::InputError(fmt::format("{}: the column {} is there twice", cells[i].place, *found));
      at = i;
    }
    for (const char* needed : {"from", "to"}) {
      if (!find(needed)) throw hw::InputError(fmt::format("{}: the column {} is missing", place, needed));
    }
    one_of(place, "one_way_ms", "latency");
    one_of(place, "bandwidth_gbps", "bandwidth");
  }

  std::optional<std::size_t> find(const std::string& column) const {
    return at_[static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin())];
  }
  std::size_t count() const { return count_; }

 private:
  void one_of(const std::string& place, const char* bare, const char* with_unit) const {
    if (find(bare).has_value() == find(with_unit).has_value()) {
      throw hw::InputError(fmt::format("{}: one of the columns {} and {} is due", place, bare, with_unit));
    }
  }

  std::vector<std::optional<std::size_t>> at_;
  std::size_t count_;
};

/// A quantity from the cell of `bare`, whose unit is the column's, or of `with_unit`.
template <class Parse>
auto quantity(const Header& header, const std::vector<Cell>& cells, const char* bare, const char* unit,
              const char* with_unit, Parse parse) {
  const auto column = header.find(bare);
  const Cell& cell = cells[column ? *column : *header.find(with_unit)];
  try {
    return parse(column ? cell.text + unit : cell.text);
  } catch (const hw::InputError& error) {
    throw hw::InputError(fmt::format("{}: {}: {}", cell.place, column ? bare : with_unit, error.what()));
  }
}

}  // namespace

Topology parse_topology_csv(const std::string& text, const std::string& name) {
  TopologyBuilder builder(name);
  std::optional<Header> header;
  struct Row {
    std::vector<Cell> cells;
    std::string place;
  };
  std::vector<Row> rows;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (trimmed(line).empty()) continue;
    const std::vector<Cell> cells = cells_of(line, name, number);
    const std::string place = fmt::format("{}:{}", name, number);
    if (!header) {
      header.emplace(cells, place);
      continue;
    }
    if (cells.size() != header->count()) {
      throw hw::InputError(
          fmt::format("{}: {} cells, but the header has {}", place, cells.size(), header->count()));
    }
    for (const char* column : {"from", "to"}) {
      const Cell& cell = cells[*header->find(column)];
      if (!builder.has(cell.text)) builder.add_site(cell.place, cell.text, std::nullopt);
    }
    rows.push_back({cells, place});
  }
  if (!header) throw hw::InputError(name + ":1:1: the file is empty; a header line is due");
  for (const Row& row : rows) {
    const Cell& from = row.cells[*header->find("from")];
    const Cell& to = row.cells[*header->find("to")];
    WanLink link;
    link.from = builder.node(from.place, from.text);
    link.to = builder.node(to.place, to.text);
    link.latency = quantity(*header, row.cells, "one_way_ms", " ms", "latency", hw::parse_time);
    link.bandwidth =
        quantity(*header, row.cells, "bandwidth_gbps", " Gb/s", "bandwidth", hw::parse_bandwidth);
    for (const char* column : {"basis", "source"}) {
      if (const auto at = header->find(column)) link.source = row.cells[*at].text;
    }
    builder.add_link(row.place, link, true);
  }
  return builder.finish();
}

}  // namespace fredsim::agg
