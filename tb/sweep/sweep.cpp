#include "tb/sweep/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "hw/core/error.h"

namespace fredsim::tb {
namespace {

/// Whether a goal needs the points of the axes themselves.
bool needs_points(const SweepFile& sweep) {
  return sweep.goals.empty() ||
         std::any_of(sweep.goals.begin(), sweep.goals.end(), [](const Goal& goal) { return !goal.over; });
}

std::string axes_text(const SweepFile& sweep) {
  std::vector<std::string> axes;
  for (const Axis& axis : sweep.axes) {
    std::vector<std::string> keys;
    for (const AxisKey& key : axis.keys) keys.push_back(key.key);
    axes.push_back(fmt::format("{} ({})", fmt::join(keys, " with "), axis.size()));
  }
  return fmt::format("{}", fmt::join(axes, " x "));
}

/// Where an answer comes from: the numbers of its points.
std::string rests_on_text(const Answer& answer, SweepDatabase& database) {
  std::vector<std::int64_t> numbers;
  for (const std::int64_t id : answer.rests_on) numbers.push_back(database.point_number(id));
  std::sort(numbers.begin(), numbers.end());
  constexpr std::size_t most = 12;
  if (numbers.size() < 2) return "";
  if (numbers.size() <= most) return fmt::format("; from points {}", fmt::join(numbers, ", "));
  return fmt::format("; from {} points, {} to {}", numbers.size(), numbers.front(), numbers.back());
}

std::string front_text(const std::vector<Answer>& answers, SweepDatabase& database) {
  std::string text;
  for (std::size_t i = 0; i + 1 < answers.size(); i += 2) {
    const Answer &first = answers[i], &second = answers[i + 1];
    text += fmt::format("          {} {}, {} {} (point {}: {})\n", first.key, first.value, second.key,
                        second.value, database.point_number(*first.point), first.combination);
  }
  return text;
}

std::string answer_text(const Goal& goal, const Answer& answer, SweepDatabase& database) {
  std::string text = "          ";
  if (!answer.combination.empty()) text += answer.combination + ": ";
  if (!answer.point) return text + "no answer: " + answer.reason + rests_on_text(answer, database) + "\n";
  text += fmt::format("{} {} (point {}", answer.key, answer.value, database.point_number(*answer.point));
  for (const Constraint& c : goal.constraints) {
    if (const auto value = database.value(*answer.point, c.name))
      text += fmt::format(", {} {:.6g}", c.name, *value);
  }
  text += ")";
  if (!answer.reason.empty()) text += "; " + answer.reason;
  return text + rests_on_text(answer, database) + "\n";
}

std::string answers_text(const Goal& goal, const std::vector<Answer>& answers, SweepDatabase& database) {
  std::string text = fmt::format("find      {}\n", goal.text);
  if (goal.objectives.size() == 2 && answers.size() > 1) return text + front_text(answers, database);
  for (const Answer& answer : answers) text += answer_text(goal, answer, database);
  return text;
}

std::string failures_text(const std::vector<FailedPoint>& failures) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, failures.size()); ++i) {
    const FailedPoint& f = failures[i];
    std::string what = f.what;
    std::replace(what.begin(), what.end(), '\n', ' ');
    text += fmt::format("failed    point {}{}{}: {}\n", f.number, f.name.empty() ? "" : ", ", f.name, what);
  }
  if (failures.size() > most)
    text += fmt::format("          and {} more, see the view failures\n", failures.size() - most);
  return text;
}

/// Replaces the file in one step, so that a reader has the old one or the new one.
void write_whole(const std::string& path, const std::string& text) {
  const std::string draft = path + ".new";
  std::ofstream file(draft, std::ios::binary | std::ios::trunc);
  file << text << std::flush;
  std::error_code error;
  if (file) std::filesystem::rename(draft, path, error);
  if (!file || error) throw hw::InputError(path + ": cannot be written");
}

}  // namespace

std::vector<const Point*> SweepPlan::all() const {
  std::vector<const Point*> all;
  std::set<std::string> seen;
  const auto add = [&](const std::vector<Point>& some) {
    for (const Point& point : some) {
      if (seen.insert(point.key).second) all.push_back(&point);
    }
  };
  add(points);
  for (const std::vector<Candidates>& of_goal : candidates) {
    for (const Candidates& one : of_goal) add(one.points);
  }
  return all;
}

SweepPlan plan_sweep(const SweepFile& sweep, const std::string& program_version) {
  PointMaker maker(sweep, program_version);
  Problems problems;
  SweepPlan plan;
  if (needs_points(sweep)) {
    std::vector<std::size_t> sizes;
    for (const Axis& axis : sweep.axes) sizes.push_back(axis.size());
    for (const PointMaker::Indices& indices : all_indices(sizes)) {
      if (auto point = maker.make(indices, std::nullopt, problems)) plan.points.push_back(std::move(*point));
    }
  }
  for (const Goal& goal : sweep.goals) {
    plan.candidates.emplace_back();
    if (goal.over) plan.candidates.back() = candidates_of(goal, sweep, maker, problems);
  }
  problems.throw_if_any();
  return plan;
}

std::string run_sweep(const SweepFile& sweep, const SweepPlan& plan, Explorer& explorer,
                      const std::string& program_version, int& exit_code) {
  SweepDatabase& database = explorer.database();
  database.begin(sweep, program_version);
  std::vector<const Point*> points;
  for (const Point& point : plan.points) points.push_back(&point);
  const std::vector<Explored> explored = explorer.explore(points, "sweep");
  std::string found;
  for (std::size_t g = 0; g < sweep.goals.size() && !explorer.stopped(); ++g) {
    const Goal& goal = sweep.goals[g];
    const std::vector<Answer> answers =
        goal.over ? search(goal, plan.candidates[g], explorer) : choose(goal, explored, database);
    if (explorer.stopped()) break;
    database.store(g + 1, goal.text, answers);
    found += answers_text(goal, answers, database);
  }
  const std::string csv = (std::filesystem::path(database.folder()) / "points.csv").string();
  write_whole(csv, database.csv());

  const PointCounts c = database.counts();
  std::string text = fmt::format("sweep     {}: {} points", sweep.name, c.points);
  if (!sweep.axes.empty()) text += fmt::format(", {}", axes_text(sweep));
  text += fmt::format("\nruns      {} now, {} before; {} ok", explorer.runs(),
                      c.points - c.waiting - std::min(explorer.runs(), c.points - c.waiting), c.ok);
  const auto add = [&](std::size_t n, const char* what) {
    if (n > 0) text += fmt::format(", {} {}", n, what);
  };
  add(c.stopped, "stopped by run.until");
  add(c.wrong_data, "wrong data");
  add(c.unfinished, "unfinished");
  add(c.failed, "failed");
  add(c.waiting, "not run");
  text += "\n";
  std::set<std::int64_t> distinct;
  for (const Explored& one : explored) distinct.insert(one.id);
  if (const std::size_t same = explored.size() - distinct.size(); same > 0)
    text += fmt::format("          {} the same as another and not run again\n",
                        same == 1 ? "1 is" : fmt::format("{} are", same));
  text += failures_text(database.failures()) + found;
  for (const std::string& name : database.empty_results(sweep))
    text += fmt::format("warning   results.{}: no point has such a result\n", name);
  text += fmt::format("results   {}, {}\n", database.path(), csv);
  exit_code = c.wrong_data > 0 ? 1 : c.unfinished + c.failed + c.waiting > 0 ? 3 : 0;
  return text;
}

}  // namespace fredsim::tb
