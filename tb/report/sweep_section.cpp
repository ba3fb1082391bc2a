#include "tb/report/sweep_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "hw/core/error.h"
#include "tb/report/database.h"
#include "tb/report/sweep_picture.h"

namespace fredsim::tb::report {
namespace {

constexpr std::size_t most_curves = 8;
constexpr std::size_t most_pictures = 8;

struct Axis {
  std::string key;
  std::size_t text = 0;    ///< column of the summary
  std::size_t number = 0;  ///< likewise; the same for what has no unit
  std::string label;
  std::set<double> values;
  bool numeric = true;
};

std::optional<double> number_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const std::string text = value;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return std::nullopt;
  return number;
}

class SweepSection {
 public:
  SweepSection(const std::string& path, std::string id)
      : database_(path), name_(std::filesystem::path(path).filename().string()), id_(std::move(id)) {
    for (const auto& row : database_.ask("SELECT name, value FROM sweep").rows)
      about_[row[0]] = shown(row[1]);
    if (about_["format"] != "fredsim-sweep" || about_["version"] != "1") {
      throw hw::InputError(
          fmt::format("{}: is no database of `fredsim sweep`: its table sweep has format '{}', version "
                      "'{}'; allowed: fredsim-sweep, 1",
                      path, about_["format"], about_["version"]));
    }
    summary_ = database_.ask("SELECT * FROM summary ORDER BY number");
    read_axes();
    for (const auto& row : database_.ask("SELECT DISTINCT point FROM answers WHERE point IS NOT NULL").rows)
      answers_.insert(shown(row[0]));
  }

  std::string html() {
    text_ = fmt::format("<section id=\"{}\"><h2>Sweep {} ({})</h2>\n", id_, escaped(about_["name"]),
                        escaped(name_));
    states();
    found();
    plots();
    cost();
    text_ +=
        "<h3>Points</h3>\n<p class=\"note\">A click on a heading sorts. From view <code>summary</code> of " +
        code(name_) + ".</p>\n";
    Table points(summary_.columns);
    for (const auto& row : summary_.rows) points.add(row);
    text_ += details(fmt::format("{} points", points.rows()), points.html(), true);
    text_ += details("To reproduce: the command of each point", commands(), false);
    text_ += details("To reproduce: the sweep file", "<pre>" + escaped(about_["text"]) + "</pre>", false);
    return text_ + "</section>\n";
  }

 private:
  void read_axes() {
    for (const auto& row : database_.ask("SELECT key, suffix FROM axes ORDER BY number").rows) {
      Axis axis;
      axis.key = shown(row[0]);
      const std::string suffix = shown(row[1]);
      axis.text = summary_.column(axis.key);
      axis.number = suffix.empty() ? axis.text : summary_.column(axis.key + suffix);
      if (axis.text == summary_.columns.size() || axis.number == summary_.columns.size())
        throw hw::InputError(
            fmt::format("{}: its view summary has no column {}", database_.path(), axis.key));
      axis.label = axis.key + suffix;
      for (const auto& point : summary_.rows) {
        const auto number = number_of(point[axis.number]);
        axis.numeric = axis.numeric && number;
        if (number) axis.values.insert(*number);
      }
      axes_.push_back(std::move(axis));
    }
  }

  void states() {
    Table table({"points", "state", "status"});
    for (const auto& row :
         database_
             .ask("SELECT count(*), state, status FROM points WHERE number IS NOT NULL GROUP BY "
                  "state, status ORDER BY state, status")
             .rows) {
      table.add(row);
    }
    text_ += table.html();
    const Database::Answer failures = database_.ask("SELECT * FROM failures");
    if (failures.rows.empty()) return;
    Table failed(failures.columns);
    for (const auto& row : failures.rows) failed.add(row);
    text_ += "<h3>Points without a right result</h3>\n" + failed.html();
  }

  void found() {
    const Database::Answer answers = database_.ask(
        "SELECT a.text AS question, a.combination, a.key, a.value, p.number AS point, a.reason FROM answers "
        "a LEFT JOIN "
        "points p ON p.id = a.point ORDER BY a.goal, a.combination");
    if (answers.rows.empty()) return;
    Table table(answers.columns);
    for (const auto& row : answers.rows) table.add(row);
    text_ += "<h3>Answers</h3>\n" + table.html() + "<p class=\"note\">From table <code>answers</code>.</p>\n";
  }

  /// The numbered axis with most values: what curves are drawn over.
  const Axis* abscissa() const {
    const Axis* best = nullptr;
    for (const Axis& axis : axes_) {
      if (axis.numeric && axis.values.size() > 1 && (!best || axis.values.size() > best->values.size()))
        best = &axis;
    }
    return best;
  }

  std::vector<Curve> curves_of(const Axis& x, std::size_t metric) const {
    std::vector<Curve> curves;
    const std::size_t id = summary_.column("point"), number = summary_.column("number");
    for (const auto& row : summary_.rows) {
      const auto y = number_of(row[metric]);
      if (!y) continue;
      std::string name;
      for (const Axis& axis : axes_) {
        if (&axis != &x) name += (name.empty() ? "" : ", ") + axis.key + " " + shown(row[axis.text]);
      }
      auto curve = std::find_if(curves.begin(), curves.end(), [&](const Curve& c) { return c.name == name; });
      if (curve == curves.end()) curve = curves.insert(curves.end(), {name, {}});
      curve->points.push_back(
          {*number_of(row[x.number]), *y, row[number], answers_.count(shown(row[id])) > 0});
    }
    for (Curve& curve : curves) {
      std::stable_sort(curve.points.begin(), curve.points.end(),
                       [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
    }
    return curves;
  }

  /// Results that differ between points, those that questions name and times first.
  std::vector<std::size_t> metrics() const {
    std::vector<std::size_t> varying;
    for (std::size_t c = summary_.column("reason") + 1; c < summary_.columns.size(); ++c) {
      std::set<double> values;
      for (const auto& row : summary_.rows) {
        if (const auto value = number_of(row[c])) values.insert(*value);
      }
      if (values.size() > 1) varying.push_back(c);
    }
    std::string questions;
    for (const auto& row : database_.ask("SELECT DISTINCT text FROM answers").rows)
      questions += shown(row[0]) + " ";
    const auto rank = [&](std::size_t c) {
      const std::string& name = summary_.columns[c];
      return questions.find(name) != std::string::npos ? 0 : name == "simulated_ns" ? 1 : 2;
    };
    std::stable_sort(varying.begin(), varying.end(),
                     [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    return varying;
  }

  void plots() {
    const Axis* x = abscissa();
    if (!x) return;
    std::vector<std::size_t> drawn = metrics();
    if (drawn.empty()) return;
    text_ += "<h3>Results over " + code(x->label) +
             "</h3>\n<p class=\"note\">A square marks the knee of a curve: the point "
             "farthest from the straight line between its ends, both axes scaled from 0 to 1, if it lies a "
             "tenth or more off. "
             "A ring marks an answer. From view <code>summary</code>.</p>\n";
    Table knees({"result", "curve", x->label, "value", "point"});
    const std::size_t all = drawn.size();
    drawn.resize(std::min(drawn.size(), most_pictures));
    for (const std::size_t metric : drawn) {
      std::vector<Curve> curves = curves_of(*x, metric);
      const std::size_t number = curves.size();
      curves.resize(std::min(curves.size(), most_curves));
      const bool logarithmic = spreads(curves);
      for (const Curve& curve : curves) {
        if (const auto knee = knee_of(curve, logarithmic)) {
          const CurvePoint& p = curve.points[*knee];
          knees.add({summary_.columns[metric], curve.name, p.x, p.y, p.point});
        }
      }
      text_ += figure(
          curves_picture(curves, x->label, summary_.columns[metric]),
          escaped(summary_.columns[metric]) + " over " + escaped(x->label) + "." +
              (number > curves.size() ? fmt::format(" The first {} of {} curves.", curves.size(), number)
                                      : ""));
    }
    if (all > drawn.size())
      text_ +=
          fmt::format("<p class=\"note\">The first {} of {} results that vary.</p>\n", drawn.size(), all);
    if (!knees.empty()) text_ += "<h3>Knees</h3>\n" + knees.html();
  }

  /// Time against what the hardware and the traffic cost.
  void cost() {
    const auto points = database_.ask(
        "SELECT p.number, json_extract(r.json, '$.simulated_ns'), json_extract(r.json, '$.cost.area_mm2'), "
        "json_extract(r.json, '$.cost.energy_j') FROM points p JOIN results r ON r.point = p.id WHERE "
        "p.number IS NOT NULL "
        "ORDER BY p.number");
    const std::pair<std::size_t, const char*> costs[] = {{2, "cost.area_mm2"}, {3, "cost.energy_j"}};
    for (const auto& [column, name] : costs) {
      Curve all, best;
      std::set<double> values;
      for (const auto& row : points.rows) {
        const auto time = number_of(row[1]), value = number_of(row[column]);
        if (!time || !value) continue;
        values.insert(*value);
        all.points.push_back({*value, *time, row[0], false});
      }
      if (values.size() < 2) continue;
      std::stable_sort(all.points.begin(), all.points.end(), [](const CurvePoint& a, const CurvePoint& b) {
        return a.x != b.x ? a.x < b.x : a.y < b.y;
      });
      all.name = "all points";
      best.name = "none better in both";
      double least = HUGE_VAL;
      for (const CurvePoint& p : all.points) {
        if (p.y >= least) continue;
        least = p.y;
        best.points.push_back(p);
        best.points.back().marked = true;
      }
      text_ += figure(
          curves_picture({all, best}, name, "simulated_ns", false),
          fmt::format("Time against {}, a point each; rings: no other point is better in both. From table "
                      "<code>results</code>.",
                      code(name)));
    }
  }

  std::string commands() const {
    const auto answer =
        database_.ask("SELECT number, command FROM points WHERE number IS NOT NULL ORDER BY number");
    Table table(answer.columns);
    for (const auto& row : answer.rows) table.add(row);
    return table.html();
  }

  Database database_;
  std::string name_, id_;
  std::map<std::string, std::string> about_;
  Database::Answer summary_;
  std::vector<Axis> axes_;
  std::set<std::string> answers_;  ///< points
  std::string text_;
};

}  // namespace

std::string sweep_section(const std::string& path, const std::string& id) {
  return SweepSection(path, id).html();
}

}  // namespace fredsim::tb::report
