#include "tb/cli/system_dot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "hw/core/quantity.h"
#include "switch/route/structure.h"
#include "tb/report/html.h"

namespace fredsim::tb {
namespace {

/// Drawn in full up to here; FRED's wafer (fig. 8) has 9 switches and 38 NPUs and I/O controllers.
constexpr std::size_t most_switches = 40;
constexpr std::size_t most_ends = 64;
/// Of siblings where not all are drawn.
constexpr std::uint32_t most_siblings = 3;
/// Every box of a level has a line to every plane above it.
constexpr std::uint32_t most_planes = 8;
constexpr int switch_width = 90;
constexpr const char* more = "more";

/// Fill and line colors that stay apart on white and in print: by level, then of NPUs and I/O controllers.
struct Colors {
  const char* fill;
  const char* line;
};
constexpr std::array<Colors, 6> level_colors = {{{"#dbe9f9", "#3b73b9"},
                                                 {"#d9efe6", "#1f8a63"},
                                                 {"#e9e0f5", "#7a4fb5"},
                                                 {"#fbe3ea", "#c2416d"},
                                                 {"#f1e6de", "#8d5a3b"},
                                                 {"#f6ecc9", "#9a7d0a"}}};
constexpr Colors npu_colors{"#f3f6f9", "#5d7290"};
constexpr Colors io_colors{"#fdeedd", "#d07a1e"};

Colors colors_of(const std::string& link_class) {
  if (link_class == "npu") return npu_colors;
  if (link_class == "io") return io_colors;
  return level_colors.at(std::stoul(link_class.substr(1)) - 1);
}

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : what.back() == 'h' ? "es" : "s");
}

/// What a box stands for where not everything is drawn.
struct Gap {
  std::string name;
  std::uint32_t level = 1;
  std::vector<std::string> switches;
  std::size_t npus = 0;
  std::size_t io_controllers = 0;
};

/// NPUs, or I/O controllers, of one leaf, a cell each.
struct Cells {
  std::vector<std::string> labels;
  std::size_t hidden = 0;
};

/// What is below one leaf.
struct Row {
  Cells npus, io_controllers;
};

class Drawing {
 public:
  Drawing(const System& system, const sw::Tree& tree)
      : system_(system),
        tree_(tree),
        all_switches_(tree.switches().size() <= most_switches),
        all_ends_(system.npus().size() + system.io_controllers().size() <= most_ends) {
    for (std::uint32_t s = 0; s < tree.switches().size(); ++s) place_switch(s);
    for (std::uint32_t n = 0; n < tree.npus(); ++n) {
      const sw::TreePort port = tree.npu_port(hw::NpuId{n});
      place_end("npu", n, port.node, port.port.value, tree.shape().leaf_npus);
    }
    std::map<std::uint32_t, std::uint32_t> at_leaf;
    for (std::uint32_t c = 0; c < tree.io_controllers(); ++c) ++at_leaf[tree.io_port(c).node];
    for (std::uint32_t c = 0; c < tree.io_controllers(); ++c) {
      const sw::TreePort port = tree.io_port(c);
      place_end("io", c, port.node, port.port.value - tree.switches()[port.node].down_ports,
                at_leaf[port.node]);
    }
  }

  std::string text(const std::string& title, const std::vector<LinkPair>& links) const {
    std::string dot = "graph system {\n";
    dot +=
        "  graph [fontname=\"Helvetica\", labelloc=t, ranksep=1.0, nodesep=0.3, splines=line, "
        "newrank=true];\n"
        "  node [fontname=\"Helvetica\", fontsize=13, shape=plain];\n";
    dot += fmt::format("  label=<{}>;\n", heading(title, links));
    for (const std::uint32_t index : drawn_) dot += switch_text(index);
    for (const auto& [name, gap] : gaps_) dot += gap_text(name, gap);
    for (const auto& [name, row] : rows_) dot += row_text(name, row);
    for (const auto& [level, names] : ranks_) dot += rank_text(names);
    dot += links_text(links);
    return dot + "}\n";
  }

 private:
  bool hidden(bool all, std::uint32_t index, std::uint32_t count, std::uint32_t most) const {
    return !all && count > most && index > 0 && index + 1 < count;
  }

  /// The gap that a subtree, or one it is in, has vanished into; null if it is drawn.
  Gap* gap_of_subtree(std::uint32_t level, std::uint32_t subtree) {
    if (level == tree_.levels()) return nullptr;
    const std::uint32_t children = tree_.shape().upper[level - 1].children;
    Gap* const above = gap_of_subtree(level + 1, subtree / children);
    if (above || !hidden(all_switches_, subtree % children, children, most_siblings)) return above;
    return &gap(fmt::format("more_l{}_{}", level, subtree / children), level);
  }

  Gap& gap(const std::string& name, std::uint32_t level) {
    Gap& found = gaps_[name];
    found.name = name;
    found.level = level;
    return found;
  }

  void place_switch(std::uint32_t index) {
    const sw::TreeSwitch& node = tree_.switches()[index];
    Gap* hides = gap_of_subtree(node.level, node.subtree);
    if (!hides && hidden(false, node.plane, tree_.planes(node.level), most_planes)) {
      hides = &gap(fmt::format("more_planes_l{}_{}", node.level, node.subtree), node.level);
    }
    const std::string& box = hides ? hides->name : node.name;
    place_[node.name] = box;
    if (hides) {
      hides->switches.push_back(node.name);
    } else {
      drawn_.push_back(index);
    }
    std::vector<std::string>& rank = ranks_[node.level];
    if ((!hides || hides->level == node.level) && (rank.empty() || rank.back() != box)) rank.push_back(box);
  }

  void place_end(const std::string& kind, std::uint32_t number, std::uint32_t leaf, std::uint32_t index,
                 std::uint32_t count) {
    const std::string name = kind + std::to_string(number);
    const std::string& leaf_at = place_.at(tree_.switches()[leaf].name);
    if (const auto gap = gaps_.find(leaf_at); gap != gaps_.end()) {
      ++(kind == "npu" ? gap->second.npus : gap->second.io_controllers);
      place_[name] = gap->second.name;
      return;
    }
    Row& row = rows_[leaf_at];
    Cells& cells = kind == "npu" ? row.npus : row.io_controllers;
    if (hidden(all_ends_, index, count, most_siblings)) {
      if (cells.hidden++ == 0) cells.labels.push_back(more);
      place_[name] = fmt::format("below_{}:{}{}", leaf_at, kind, more);
    } else {
      cells.labels.push_back(std::to_string(number));
      place_[name] = fmt::format("below_{}:{}", leaf_at, name);
    }
  }

  std::string heading(const std::string& title, const std::vector<LinkPair>& links) const {
    std::vector<std::string> parts{counted(system_.npus().size(), "NPU")};
    if (!system_.io_controllers().empty())
      parts.push_back(counted(system_.io_controllers().size(), "I/O controller"));
    parts.push_back(counted(tree_.switches().size(), "FRED switch"));
    std::string text = fmt::format(
        "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"2\" CELLPADDING=\"2\"><TR><TD "
        "COLSPAN=\"5\"><FONT "
        "POINT-SIZE=\"20\"><B>{}"
        "</B></FONT></TD></TR><TR><TD COLSPAN=\"5\">{}</TD></TR>",
        report::escaped(title), fmt::join(parts, ", "));
    std::vector<std::string> classes;
    std::map<std::string, std::size_t> count;
    std::map<std::string, const LinkPair*> first;
    for (const LinkPair& link : links) {
      if (count[link.link_class]++ > 0) continue;
      classes.push_back(link.link_class);
      first[link.link_class] = &link;
    }
    std::reverse(classes.begin(), classes.end());
    for (const std::string& link_class : classes) {
      const hw::LinkConfig& config = first[link_class]->config;
      text += fmt::format(
          "<TR><TD ALIGN=\"RIGHT\"><FONT COLOR=\"{}\"><B>&#9473;&#9473;</B></FONT></TD><TD "
          "ALIGN=\"LEFT\">{}</TD><TD "
          "ALIGN=\"RIGHT\">{}</TD><TD ALIGN=\"RIGHT\">{}</TD><TD ALIGN=\"RIGHT\">{}</TD></TR>",
          colors_of(link_class).line, link_title(link_class), counted(count[link_class], "link"),
          hw::to_string(config.bandwidth), hw::to_string(config.latency));
    }
    const bool whole = gaps_.empty() && std::all_of(rows_.begin(), rows_.end(), [](const auto& row) {
                         return row.second.npus.hidden + row.second.io_controllers.hidden == 0;
                       });
    if (!whole)
      text += "<TR><TD COLSPAN=\"5\"><I>dashed: several that are not drawn one by one</I></TD></TR>";
    return text + "</TABLE>";
  }

  std::string link_title(const std::string& link_class) const {
    if (link_class == "npu") return "NPU to switch";
    if (link_class == "io") return "I/O controller to switch";
    const unsigned long level = std::stoul(link_class.substr(1));
    return fmt::format("level {} to level {}", level - 1, level);
  }

  std::string switch_text(std::uint32_t index) const {
    const sw::TreeSwitch& node = tree_.switches()[index];
    const Colors& colors = level_colors.at(node.level - 1);
    const bool one_of_several = tree_.planes(node.level) > 1;
    const std::string plane =
        one_of_several ? fmt::format("<BR/><FONT POINT-SIZE=\"10\">plane {}</FONT>", node.plane) : "";
    return fmt::format(
        "  \"{0}\" [label=<<TABLE BORDER=\"2\" COLOR=\"{1}\" BGCOLOR=\"{2}\" STYLE=\"ROUNDED\" "
        "CELLBORDER=\"0\" "
        "CELLPADDING=\"6\"><TR><TD WIDTH=\"{5}\"><B>{0}</B><BR/><FONT "
        "POINT-SIZE=\"11\">{3}</FONT>{4}</TD></TR>"
        "</TABLE>>];\n",
        node.name, colors.line, colors.fill, to_string(system_.switches()[index]->structure()), plane,
        switch_width);
  }

  /// Side by side in this order, which edges that are not drawn keep.
  static std::string rank_text(const std::vector<std::string>& names) {
    if (names.size() < 2) return "";
    return fmt::format("  {{ rank=same; edge [style=invis]; \"{}\"; }}\n", fmt::join(names, "\" -- \""));
  }

  std::string gap_text(const std::string& name, const Gap& gap) const {
    std::vector<std::string> lines;
    std::map<std::string, std::vector<std::string>> by_level;
    for (const std::string& node : gap.switches) by_level[node.substr(0, node.find('_'))].push_back(node);
    for (auto level = by_level.rbegin(); level != by_level.rend(); ++level) {
      const auto& names = level->second;
      lines.push_back(names.size() == 1 ? names[0]
                                        : fmt::format("{} ... {} ({} switches)", names.front(), names.back(),
                                                      names.size()));
    }
    if (gap.npus > 0) lines.push_back(counted(gap.npus, "NPU"));
    if (gap.io_controllers > 0) lines.push_back(counted(gap.io_controllers, "I/O controller"));
    return fmt::format(
        "  \"{}\" [label=<<TABLE BORDER=\"1\" COLOR=\"{}\" STYLE=\"ROUNDED,DASHED\" CELLBORDER=\"0\" "
        "CELLPADDING=\"6\"><TR><TD><FONT POINT-SIZE=\"11\">and<BR/>{}</FONT></TD></TR></TABLE>>];\n",
        name, level_colors.at(gap.level - 1).line, fmt::join(lines, "<BR/>"));
  }

  static std::string cells_text(const std::string& kind, const Cells& cells, const Colors& colors) {
    std::string text;
    for (const std::string& label : cells.labels) {
      const bool gap = label == more;
      text += fmt::format("<TD PORT=\"{}{}\" BORDER=\"{}\" COLOR=\"{}\" BGCOLOR=\"{}\">{}</TD>", kind, label,
                          gap ? 0 : 1, colors.line, gap ? "white" : colors.fill,
                          gap ? fmt::format("+ {}", cells.hidden) : label);
    }
    return text;
  }

  static std::string caption_text(const Cells& cells, const std::string& what, const Colors& colors) {
    return fmt::format("<TD BORDER=\"0\" COLSPAN=\"{}\"><FONT POINT-SIZE=\"10\" COLOR=\"{}\">{}</FONT></TD>",
                       cells.labels.size(), colors.line, what);
  }

  /// The cells below a leaf, which stands above their middle.
  static std::string row_text(const std::string& leaf, const Row& row) {
    std::string cells = cells_text("npu", row.npus, npu_colors);
    std::string captions = caption_text(row.npus, "NPUs", npu_colors);
    if (!row.io_controllers.labels.empty()) {
      const std::string between = "<TD BORDER=\"0\" WIDTH=\"8\"></TD>";
      cells += between + cells_text("io", row.io_controllers, io_colors);
      captions += between + caption_text(row.io_controllers, "I/O", io_colors);
    }
    return fmt::format(
        "  \"below_{0}\" [label=<<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"3\" "
        "CELLPADDING=\"4\"><TR>{1}"
        "</TR><TR>{2}</TR></TABLE>>];\n  \"{0}\" -- \"below_{0}\" [style=invis, weight=100];\n",
        leaf, cells, captions);
  }

  std::string links_text(const std::vector<LinkPair>& links) const {
    // By the ends as drawn; the first link of each decides where it is listed.
    std::vector<std::pair<std::string, std::string>> order;
    std::map<std::pair<std::string, std::string>, std::size_t> count;
    std::map<std::pair<std::string, std::string>, const LinkPair*> first;
    double fastest = 0;
    for (const LinkPair& link : links) fastest = std::max(fastest, link.config.bandwidth.bytes_per_second());
    for (const LinkPair& link : links) {
      const std::pair ends(place_.at(link.above), place_.at(link.below));
      if (ends.first == ends.second) continue;
      if (count[ends]++ > 0) continue;
      order.push_back(ends);
      first[ends] = &link;
    }
    std::string text;
    for (const auto& ends : order) {
      const LinkPair& link = *first[ends];
      const bool several = count[ends] > 1 || gaps_.count(ends.first) > 0 || gaps_.count(ends.second) > 0;
      const double width = 1 + 2 * std::sqrt(link.config.bandwidth.bytes_per_second() / fastest);
      text += fmt::format("  {} -- {} [color=\"{}\", penwidth={:.2f}{}];\n", quoted(ends.first, true),
                          quoted(ends.second, false), colors_of(link.link_class).line, width,
                          several ? ", style=dashed" : "");
    }
    return text;
  }

  /// A place, a box or "box:cell", as the upper or lower end of an edge.
  static std::string quoted(const std::string& place, bool upper) {
    const std::size_t colon = place.find(':');
    const std::string cell = colon == std::string::npos ? "" : ":\"" + place.substr(colon + 1) + "\"";
    return fmt::format("\"{}\"{}:{}", place.substr(0, colon), cell, upper ? "s" : "n");
  }

  const System& system_;
  const sw::Tree& tree_;
  bool all_switches_;
  bool all_ends_;
  std::map<std::string, std::string> place_;  ///< of every module by name: where it is drawn
  std::vector<std::uint32_t> drawn_;
  std::map<std::uint32_t, std::vector<std::string>> ranks_;  ///< by level: boxes, left to right
  std::map<std::string, Gap> gaps_;
  std::map<std::string, Row> rows_;  ///< by leaf
};

}  // namespace

std::string system_dot(const std::string& title, const System& system, const sw::Tree& tree,
                       const std::vector<LinkPair>& links) {
  return Drawing(system, tree).text(title, links);
}

}  // namespace fredsim::tb
