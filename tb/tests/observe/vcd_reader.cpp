#include "tb/tests/observe/vcd_reader.h"

#include <fstream>
#include <set>
#include <sstream>

namespace fredsim::hw::test {
namespace {

std::string unescape(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      result += text[i];
    } else if (i + 3 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '3') {
      result += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      // fst2vcd shortens what C has a letter for.
      result += text[++i];
    }
  }
  return result;
}

std::string decimal(const std::string& digits, int width) {
  if (digits.empty() || digits.size() > static_cast<std::size_t>(width)) return "malformed " + digits;
  std::uint64_t value = 0;
  for (const char digit : digits) {
    if (digit != '0' && digit != '1') return "malformed " + digits;
    value = value << 1 | static_cast<std::uint64_t>(digit == '1');
  }
  return std::to_string(static_cast<std::int64_t>(value));
}

}  // namespace

std::string VcdVariable::at(std::int64_t time_fs) const {
  std::string value = initial;
  for (const auto& [time, next] : changes) {
    if (time <= time_fs) value = next;
  }
  return value;
}

VcdDump parse_vcd(const std::string& text) {
  VcdDump dump;
  std::istringstream in(text);
  std::vector<std::string> scopes;
  std::map<std::string, std::string> path_of;
  std::string word;
  while (in >> word && word != "$enddefinitions") {
    std::vector<std::string> words;
    for (std::string next; in >> next && next != "$end";) words.push_back(next);
    if (word == "$timescale") {
      for (const std::string& part : words) dump.timescale += part;
    } else if (word == "$date") {
      dump.has_date = true;
    } else if (word == "$scope") {
      if (words.size() != 2 || words[0] != "module") dump.complaints.push_back("scope");
      scopes.push_back(words.back());
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      if (words.size() != 4) {
        dump.complaints.push_back("var of " + std::to_string(words.size()) + " words");
        continue;
      }
      std::string path;
      for (const std::string& scope : scopes) path += scope + ".";
      path += words[3];
      if (!path_of.emplace(words[2], path).second) dump.complaints.push_back("identifier twice: " + words[2]);
      if (!dump.variables.emplace(path, VcdVariable{words[0], std::stoi(words[1]), "", {}}).second) {
        dump.complaints.push_back("path twice: " + path);
      }
      dump.order.push_back(path);
    } else if (word != "$version") {
      dump.complaints.push_back("section " + word);
    }
  }
  if (!scopes.empty()) dump.complaints.push_back("scope left open");
  in >> word;  // the $end of the definitions

  std::int64_t now = -1;
  bool in_initial = false;
  std::set<std::string> changed_now;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    if (line == "$dumpvars") {
      in_initial = true;
    } else if (line == "$end") {
      in_initial = false;
      for (const auto& [path, variable] : dump.variables) {
        if (variable.initial.empty()) dump.complaints.push_back("no initial value: " + path);
      }
    } else if (line[0] == '#') {
      const std::int64_t time = std::stoll(line.substr(1));
      if (time <= now) dump.complaints.push_back("time goes back: " + line);
      if (now < 0) dump.begin = time;
      now = dump.end = time;
      changed_now.clear();
    } else {
      const std::size_t blank = line.find(' ');
      const bool scalar = line[0] == '0' || line[0] == '1';
      const std::string code = scalar ? line.substr(1) : line.substr(blank + 1);
      if (path_of.count(code) == 0) {
        dump.complaints.push_back("unknown identifier: " + line);
        continue;
      }
      VcdVariable& variable = dump.variables.at(path_of.at(code));
      std::string value;
      if (scalar) {
        value = line.substr(0, 1);
        if (variable.width != 1) dump.complaints.push_back("scalar for a vector: " + line);
      } else if (line[0] == 's' && variable.type == "string") {
        value = unescape(line.substr(1, blank - 1));
      } else if (line[0] == 'b' && variable.type == "integer") {
        value = decimal(line.substr(1, blank - 1), variable.width);
      } else {
        dump.complaints.push_back("value of another type: " + line);
      }
      if (in_initial) {
        variable.initial = value;
        continue;
      }
      if (now == dump.begin) dump.complaints.push_back("change beside the initial values: " + line);
      if (!changed_now.insert(code).second)
        dump.complaints.push_back("changes twice at one instant: " + line);
      if (value == (variable.changes.empty() ? variable.initial : variable.changes.back().second)) {
        dump.complaints.push_back("change to the same value: " + line);
      }
      variable.changes.emplace_back(now, value);
      ++dump.changes;
    }
  }
  return dump;
}

VcdDump read_vcd(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return parse_vcd(text.str());
}

}  // namespace fredsim::hw::test
