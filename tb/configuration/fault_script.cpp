#include "tb/configuration/fault_script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "tb/configuration/value_text.h"

namespace fredsim::tb {
namespace {

using Kind = FaultEntry::Kind;

struct KindName {
  const char* name;
  Kind kind;
  bool of_npu;
};
constexpr std::array<KindName, 7> kinds{{{"packets", Kind::packets, false},
                                         {"acks", Kind::acks, false},
                                         {"nacks", Kind::nacks, false},
                                         {"last_of", Kind::last_of, false},
                                         {"down", Kind::down, false},
                                         {"dies", Kind::dies, true},
                                         {"stalls", Kind::stalls, true}}};
const char* const allowed =
    "an entry is {link: NAME} with one of packets, acks, nacks, last_of, down, or {npu: N} with dies or "
    "stalls";

class EntryReader {
 public:
  EntryReader(const std::string& key, Problems& problems) : key_(key), problems_(problems) {}

  void read(const YamlNode& node, std::vector<FaultEntry>& script) {
    if (node.kind != YamlNode::Kind::mapping) return refuse(node.place, "is not an entry");
    FaultEntry entry;
    entry.place = node.place;
    const YamlMember* fault = nullptr;
    const YamlMember* where = nullptr;
    std::set<std::string> seen;
    for (const YamlMember& member : node.members) {
      if (!seen.insert(member.key).second)
        return refuse(member.place, fmt::format("{} is given twice", in_quotes(member.key)));
      const bool place = member.key == "link" || member.key == "npu";
      const YamlMember*& slot = place ? where : fault;
      if (!place && !find(member.key)) return refuse_key(member);
      if (slot)
        return refuse(member.place,
                      fmt::format("{} beside {}: make two entries of it", member.key, slot->key));
      slot = &member;
    }
    if (!where) return refuse(node.place, "says neither a link nor an NPU");
    if (!fault) return refuse(node.place, "does not say what goes wrong");
    const KindName& kind = *find(fault->key);
    if (kind.of_npu != (where->key == "npu"))
      return refuse(fault->place, fmt::format("{} goes with {}", fault->key, kind.of_npu ? "npu" : "link"));
    entry.kind = kind.kind;
    try {
      at_ = where->value.place;
      read_where(*where, entry);
      at_ = fault->value.place;
      read_fault(fault->value, entry);
    } catch (const hw::InputError& error) {
      return refuse(at_, error.what());
    }
    script.push_back(std::move(entry));
  }

  void refuse(const std::string& place, const std::string& what) {
    problems_.add(place, key_, fmt::format("{}; {}", what, allowed));
  }

 private:
  static const KindName* find(const std::string& name) {
    const auto* found =
        std::find_if(kinds.begin(), kinds.end(), [&](const KindName& k) { return name == k.name; });
    return found == kinds.end() ? nullptr : found;
  }

  void refuse_key(const YamlMember& member) {
    std::vector<std::string> known{"link", "npu"};
    for (const KindName& kind : kinds) known.emplace_back(kind.name);
    refuse(member.place,
           fmt::format("{} is unknown{}", in_quotes(member.key), hw::did_you_mean(member.key, known)));
  }

  static const std::string& scalar(const YamlNode& node, const char* due) {
    if (node.kind == YamlNode::Kind::plain || node.kind == YamlNode::Kind::quoted) return node.text;
    throw hw::InputError(fmt::format("{} is due here", due));
  }
  /// The values of a list, or the one value.
  std::vector<std::string> values(const YamlNode& node, const char* due) {
    if (node.kind != YamlNode::Kind::sequence) return {scalar(node, due)};
    std::vector<std::string> texts;
    for (const YamlNode& item : node.items) {
      at_ = item.place;
      texts.push_back(scalar(item, due));
    }
    if (texts.empty()) throw hw::InputError(fmt::format("the list is empty; {} is due here", due));
    return texts;
  }

  static void read_where(const YamlMember& where, FaultEntry& entry) {
    if (where.key == "link") {
      entry.link = scalar(where.value, "the name of a link");
      return;
    }
    const std::uint64_t npu = parse_integer(scalar(where.value, "the number of an NPU"));
    entry.npu =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(npu, std::numeric_limits<std::uint32_t>::max()));
  }

  void read_fault(const YamlNode& value, FaultEntry& entry) {
    switch (entry.kind) {
      case Kind::packets:
      case Kind::acks:
      case Kind::nacks:
        for (const std::string& text : values(value, "a number or a range such as 7-12"))
          entry.ranges.push_back(range(text));
        return;
      case Kind::last_of:
        entry.flow = scalar(value, "the id of an operation or flow");
        return;
      case Kind::dies:
        entry.from = hw::parse_time(scalar(value, "a time"));
        return;
      case Kind::down:
      case Kind::stalls:
        read_window(value, entry);
    }
  }

  void read_window(const YamlNode& value, FaultEntry& entry) {
    const std::vector<std::string> times = values(value, "two times, such as [1 us, 2 us]");
    if (times.size() > 2) throw hw::InputError("from when and until when are two times, not more");
    entry.from = hw::parse_time(times[0]);
    if (times.size() == 2) {
      entry.until = hw::parse_time(times[1]);
      if (entry.until <= entry.from)
        throw hw::InputError(fmt::format("{} is not after {}", times[1], times[0]));
    } else if (entry.kind == Kind::stalls) {
      throw hw::InputError("a stall ends: [1 us, 2 us]; for good it is `dies: 1 us`");
    }
  }

  static FaultEntry::Range range(const std::string& text) {
    const std::size_t dash = text.find('-');
    if (dash == 0 || dash == std::string::npos) {
      const std::uint64_t number = parse_integer(text);
      return {number, number};
    }
    const FaultEntry::Range range{parse_integer(text.substr(0, dash)), parse_integer(text.substr(dash + 1))};
    if (range.last < range.first)
      throw hw::InputError(fmt::format("{} ends before it begins", in_quotes(text)));
    return range;
  }

  const std::string& key_;
  Problems& problems_;
  std::string at_;
};

/// Quoted where YAML would read something else, or the commas and brackets around it would be in the way.
std::string yaml_text(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '/' || c == '.';
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string FaultEntry::text() const {
  const auto* name =
      std::find_if(kinds.begin(), kinds.end(), [&](const KindName& k) { return k.kind == kind; });
  std::string value;
  if (kind == Kind::dies) {
    value = hw::to_string(from);
  } else if (kind == Kind::last_of) {
    value = yaml_text(flow);
  } else if (kind == Kind::down || kind == Kind::stalls) {
    value = until == hw::Time::max() ? fmt::format("[{}]", hw::to_string(from))
                                     : fmt::format("[{}, {}]", hw::to_string(from), hw::to_string(until));
  } else {
    std::vector<std::string> numbers;
    for (const auto& r : ranges)
      numbers.push_back(r.first == r.last ? std::to_string(r.first) : fmt::format("{}-{}", r.first, r.last));
    value = fmt::format("[{}]", fmt::join(numbers, ", "));
  }
  const std::string where = name->of_npu ? fmt::format("npu: {}", npu) : "link: " + yaml_text(link);
  return fmt::format("{{{}, {}: {}}}", where, name->name, value);
}

std::vector<FaultEntry> read_fault_script(const YamlNode& list, const std::string& key, Problems& problems) {
  EntryReader reader(key, problems);
  std::vector<FaultEntry> script;
  for (const YamlNode& item : list.items) reader.read(item, script);
  return script;
}

std::vector<FaultEntry> parse_fault_script(const std::string& text, const std::string& name) {
  Problems problems;
  std::vector<FaultEntry> script = read_fault_script(parse_yaml_list(text, name), "faults.script", problems);
  problems.throw_if_any();
  return script;
}

std::string fault_script_text(const std::vector<FaultEntry>& script) {
  std::vector<std::string> entries;
  for (const FaultEntry& entry : script) entries.push_back(entry.text());
  return fmt::format("[{}]", fmt::join(entries, ", "));
}

}  // namespace fredsim::tb
