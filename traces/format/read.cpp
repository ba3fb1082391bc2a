#include "traces/format/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <istream>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "traces/format/check.h"
#include "traces/format/match.h"
#include "traces/format/operation_line.h"

namespace fredsim::trace {
namespace {

/// Enough for a group of a million NPUs; a longer line is no trace, and must not fill the memory.
constexpr std::size_t max_line = std::size_t{16} << 20;

enum class Line { ended, cut_off, too_long, none };

Line next_line(std::istream& in, std::string& text) {
  text.clear();
  std::streambuf& buffer = *in.rdbuf();
  constexpr auto eof = std::char_traits<char>::eof();
  for (auto c = buffer.sbumpc(); c != eof; c = buffer.sbumpc()) {
    if (c == '\n') return Line::ended;
    if (text.size() == max_line) return Line::too_long;
    text += static_cast<char>(c);
  }
  return text.empty() ? Line::none : Line::cut_off;
}

bool blank(const std::string& text) {
  return text.find_first_not_of(" \t\r") == std::string::npos;
}

class Reader {
 public:
  Reader(std::istream& in, const std::string& name) : in_(in) { result_.workload.source = name; }

  ReadResult run(std::optional<std::uint32_t> system_npus) {
    if (!header()) return std::move(result_);
    std::string text;
    for (;;) {
      ++line_;
      const Line end = next_line(in_, text);
      if (end == Line::none) break;
      if (end == Line::too_long) {
        report("", fmt::format("the line is longer than {} bytes", max_line));
        complete_ = false;
        return finish(system_npus);
      }
      if (!blank(text)) operation(text, end == Line::cut_off);
    }
    if (promised_ && *promised_ != lines_) {
      problem(0, "",
              fmt::format("the first line counts {} operations, the file has {}{}", *promised_, lines_,
                          lines_ < *promised_ ? ": its end is missing" : ""));
      complete_ = complete_ && lines_ > *promised_;
    }
    return finish(system_npus);
  }

 private:
  struct Reference {
    std::uint32_t operation;
    bool all;           ///< of after_all
    std::size_t index;  ///< in the list
    std::string name;
  };
  static constexpr std::uint32_t unusable = 0xffffffff;

  void problem(std::uint32_t line, const std::string& operation, std::string reason) {
    result_.problems.push_back({result_.workload.source, line, operation, std::move(reason)});
  }
  void report(const std::string& operation, std::string reason) {
    problem(line_, operation, std::move(reason));
  }

  bool header() {
    line_ = 1;
    std::string text;
    const Line end = next_line(in_, text);
    if (end == Line::none) {
      problem(0, "", "the file is empty");
      return false;
    }
    if (end == Line::too_long) {
      report("", fmt::format("the line is longer than {} bytes: this is no trace", max_line));
      return false;
    }
    const JsonLine line = parse_json_line(text);
    if (!line.error.empty()) {
      report("", fmt::format("the first line {}{}", line.error,
                             line.cut_off && end == Line::cut_off ? " (the file ends inside it)" : ""));
      return false;
    }
    Header header = read_header(line);
    for (std::string& reason : header.problems) report("", std::move(reason));
    result_.workload.npus = header.npus;
    result_.workload.name = std::move(header.name);
    result_.workload.memory = header.memory;
    promised_ = header.operations;
    return header.problems.empty();
  }

  void operation(const std::string& text, bool last) {
    ++lines_;
    const JsonLine json = parse_json_line(text);
    if (!json.error.empty()) {
      report("", fmt::format("the line {}{}", json.error,
                             json.cut_off && last ? " (the file ends inside it)" : ""));
      complete_ = false;
      return;
    }
    OperationLine line = read_operation(json);
    const std::string id = line.operation.id;
    for (std::string& reason : line.problems) report(id, std::move(reason));
    if (!line.usable) {
      const auto type = line.operation.type;
      matchable_ = matchable_ && json.find("type") && hw::parse_operation_type(json.find("type")->text) &&
                   type != hw::OperationType::send && type != hw::OperationType::recv;
    }
    if (id.empty()) {
      complete_ = false;
      return;
    }

    auto& operations = result_.workload.operations;
    const auto index = static_cast<std::uint32_t>(operations.size());
    const auto [place, added] = ids_.emplace(id, Known{line.usable ? index : unusable, line_});
    if (!added) {
      report(id, fmt::format("the id is already that of line {}", place->second.line));
      matchable_ = false;
      return;
    }
    if (!line.usable) return;
    line.operation.line = line_;
    refer(line.after, line.operation.after, index, false);
    refer(line.after_all, line.operation.after_all, index, true);
    operations.push_back(std::move(line.operation));
  }

  /// Names already known become numbers at once, the others when everything is read.
  void refer(std::vector<std::string>& names, std::vector<hw::OperationId>& ids, std::uint32_t operation,
             bool all) {
    ids.reserve(names.size());
    for (std::string& name : names) {
      const auto known = ids_.find(name);
      const bool found = known != ids_.end() && known->second.operation != unusable;
      if (!found) open_.push_back({operation, all, ids.size(), std::move(name)});
      ids.emplace_back(found ? known->second.operation : unusable);
    }
  }

  void resolve() {
    for (const Reference& reference : open_) {
      hw::Operation& operation = result_.workload.operations[reference.operation];
      const auto known = ids_.find(reference.name);
      if (known != ids_.end()) {
        (reference.all ? operation.after_all : operation.after)[reference.index] =
            hw::OperationId(known->second.operation);
      } else if (complete_) {
        problem(operation.line, operation.id,
                fmt::format("{} names \"{}\", which is no operation of this trace",
                            reference.all ? "after_all" : "after", reference.name));
      }
    }
    if (open_.empty()) return;
    for (hw::Operation& operation : result_.workload.operations) {
      for (auto* list : {&operation.after, &operation.after_all}) {
        list->erase(std::remove(list->begin(), list->end(), hw::OperationId(unusable)), list->end());
      }
    }
  }

  /// The checks across lines. Where a line could not be used, what it may have said is not missed.
  ReadResult finish(std::optional<std::uint32_t> system_npus) {
    resolve();
    const bool nothing_read = result_.workload.operations.empty() && lines_ != 0;
    if (!nothing_read) {
      std::vector<Problem> found = check(result_.workload, system_npus, complete_ && matchable_);
      std::move(found.begin(), found.end(), std::back_inserter(result_.problems));
    }
    std::stable_sort(result_.problems.begin(), result_.problems.end(),
                     [](const Problem& a, const Problem& b) { return a.line < b.line; });
    set_partners(result_.workload);
    return std::move(result_);
  }

  struct Known {
    std::uint32_t operation;  ///< index, or `unusable`
    std::uint32_t line;
  };

  std::istream& in_;
  ReadResult result_;
  std::uint32_t line_ = 0;
  std::uint64_t lines_ = 0;  ///< operations, usable or not
  std::optional<std::uint64_t> promised_;
  bool complete_ = true;   ///< the id of every operation is known
  bool matchable_ = true;  ///< every send and receive is known
  std::unordered_map<std::string, Known> ids_;
  std::vector<Reference> open_;
};

}  // namespace

ReadResult read(std::istream& in, const std::string& name, std::optional<std::uint32_t> system_npus) {
  return Reader(in, name).run(system_npus);
}

ReadResult read(const std::string& path, std::optional<std::uint32_t> system_npus) {
  const auto unreadable = [&](const char* reason) {
    ReadResult result;
    result.workload.source = path;
    result.problems.push_back({path, 0, "", reason});
    return result;
  };
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return unreadable("is a directory, not a trace");
  std::ifstream in(path, std::ios::binary);
  if (!in) return unreadable(std::filesystem::exists(path, error) ? "cannot be read" : "no such file");
  try {
    return read(in, path, system_npus);
  } catch (const std::ios_base::failure&) {  // thrown by the buffer, whatever the stream's exceptions()
    return unreadable("cannot be read to its end");
  }
}

hw::Workload read_checked(const std::string& path, std::optional<std::uint32_t> system_npus) {
  ReadResult result = read(path, system_npus);
  refuse(result.problems);
  return std::move(result.workload);
}

}  // namespace fredsim::trace
