#include "tb/sweep/goal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hw/core/error.h"
#include "tb/configuration/value_text.h"
#include "tb/sweep/number.h"

namespace fredsim::tb {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

Constraint parse_constraint(const std::string& text) {
  const std::string form = "write NAME >= NUMBER, with <, <=, >= or >, and 'of best' behind it for a share";
  Constraint constraint;
  constraint.text = text;
  const std::size_t at = text.find_first_of("<>=");
  if (at == std::string::npos)
    throw hw::InputError(fmt::format("{} compares nothing; {}", in_quotes(text), form));
  const bool or_equal = at + 1 < text.size() && text[at + 1] == '=';
  if (text[at] == '=') throw hw::InputError(fmt::format("{}: = is not available; {}", in_quotes(text), form));
  using Comparison = Constraint::Comparison;
  constraint.comparison = text[at] == '<' ? (or_equal ? Comparison::less_or_equal : Comparison::less)
                                          : (or_equal ? Comparison::greater_or_equal : Comparison::greater);
  constraint.name = trimmed(text.substr(0, at));
  std::string number = trimmed(text.substr(at + (or_equal ? 2 : 1)));
  const std::string best = "of best";
  if (number.size() > best.size() && number.compare(number.size() - best.size(), best.size(), best) == 0) {
    constraint.of_best = true;
    number = trimmed(number.substr(0, number.size() - best.size()));
  }
  if (constraint.name.empty() || number.empty())
    throw hw::InputError(fmt::format("{} is incomplete; {}", in_quotes(text), form));
  constraint.number = constraint.of_best ? parse_real(number) : number_for(constraint.name, number);
  return constraint;
}

Objective parse_objective(const std::string& text) {
  for (const Sense sense : {Sense::minimize, Sense::maximize}) {
    const std::string word = sense == Sense::minimize ? "minimize " : "maximize ";
    if (text.rfind(word, 0) == 0) {
      const std::string name = trimmed(text.substr(word.size()));
      if (!name.empty()) return {sense, name};
    }
  }
  throw hw::InputError(fmt::format("{}: write minimize NAME or maximize NAME", in_quotes(text)));
}

void read_constraints(const YamlNode& node, Goal& goal) {
  if (node.kind != YamlNode::Kind::sequence) {
    goal.constraints.push_back(parse_constraint(scalar_of(node, "NAME >= NUMBER or a list of such")));
    return;
  }
  for (const YamlNode& item : node.items)
    goal.constraints.push_back(parse_constraint(scalar_of(item, "NAME >= NUMBER")));
}

void read_front(const YamlNode& node, Goal& goal) {
  if (node.kind != YamlNode::Kind::sequence || node.items.size() != 2) {
    throw hw::InputError("two are due here, as in [minimize buffer.dp, maximize algbw_gbytes_per_s]");
  }
  for (const YamlNode& item : node.items)
    goal.objectives.push_back(parse_objective(scalar_of(item, "minimize NAME")));
}

std::string text_of(const Goal& goal) {
  std::vector<std::string> objectives, constraints;
  for (const Objective& o : goal.objectives)
    objectives.push_back((o.sense == Sense::minimize ? "minimize " : "maximize ") + o.name);
  for (const Constraint& c : goal.constraints) constraints.push_back(c.text);
  std::string text =
      fmt::format("{}{}", objectives.size() == 2 ? "pareto: " : "", fmt::join(objectives, ", "));
  if (!constraints.empty()) text += fmt::format(" subject to {}", fmt::join(constraints, " and "));
  return text;
}

Goal read_goal(const YamlNode& node, const std::string& of, const std::string& folder, Problems& problems) {
  Goal goal;
  goal.place = node.place;
  std::size_t wants = 0;
  const YamlNode* over = nullptr;
  const auto simple = [&](Sense sense) {
    return [&goal, &wants, sense](const YamlNode& v) {
      ++wants;
      goal.objectives = {{sense, scalar_of(v, "the name of a parameter or a result")}};
    };
  };
  read_mapping(node, node.place, of,
               {{"minimize", false, simple(Sense::minimize)},
                {"maximize", false, simple(Sense::maximize)},
                {"pareto", false,
                 [&](const YamlNode& v) {
                   ++wants;
                   read_front(v, goal);
                 }},
                {"over", false, [&](const YamlNode& v) { over = &v; }},
                {"subject_to", false, [&](const YamlNode& v) { read_constraints(v, goal); }}},
               problems);
  if (wants != 1 && node.kind == YamlNode::Kind::mapping)
    problems.add(node.place, of, "one of minimize, maximize and pareto is due");
  if (over && goal.objectives.size() == 1) {
    goal.over =
        read_axis_key(goal.objectives.front().name, of + ".over", node.place, *over, folder, true, problems);
    if (goal.constraints.empty())
      problems.add(node.place, of, "subject_to is missing; a search over values needs a condition");
  } else if (over) {
    problems.add(over->place, of + ".over",
                 "is for minimize and maximize; a front is among the points of the sweep");
  }
  goal.text = text_of(goal);
  return goal;
}

}  // namespace

bool Constraint::holds(double value, double best) const {
  const double limit = of_best ? number * best : number;
  switch (comparison) {
    case Comparison::less:
      return value < limit;
    case Comparison::less_or_equal:
      return value <= limit;
    case Comparison::greater_or_equal:
      return value >= limit;
    case Comparison::greater:
      return value > limit;
  }
  return false;
}

std::vector<Goal> read_goals(const YamlNode& node, const std::string& folder, Problems& problems) {
  std::vector<Goal> goals;
  if (node.kind != YamlNode::Kind::sequence) return {read_goal(node, "find", folder, problems)};
  for (std::size_t i = 0; i < node.items.size(); ++i)
    goals.push_back(read_goal(node.items[i], fmt::format("find[{}]", i), folder, problems));
  return goals;
}

}  // namespace fredsim::tb
