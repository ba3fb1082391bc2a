#include "hw/observe/gtkwave_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "hw/observe/scope_tree.h"

namespace fredsim::hw {
namespace {

// Flags of a line as GTKWave 3.3 saves them (its analyzer.h), in hexadecimal.
enum Flag : std::uint32_t {
  decimal = 0x4,
  binary = 0x8,
  right_justified = 0x20,
  blank = 0x200,
  signed_decimal = 0x400,
  ascii = 0x800,
  collapsed = 0x1000,
  analog_step = 0x8000,
  analog_stretch = 0x20000,
  analog_full_scale = 0x80000,
  closed_group = 0x400000,
  group_begin = 0x800000,
  group_end = 0x1000000,
};

constexpr int window_width = 1400;
constexpr int window_height = 900;
constexpr int tree_width = 200;
constexpr int names_width = 330;
// What is left for the waves at this size, with the frames.
constexpr int waves_width = 750;
// GTKWave's zoom z shows 2^-z time units in 200 pixels.
constexpr double pixels_per_zoom_unit = 200;
// Lines that such a window shows.
constexpr std::size_t screen_lines = 36;

std::uint32_t flags_of(ProbeKind kind) {
  switch (kind) {
    case ProbeKind::level:
      return decimal | right_justified | analog_step | analog_full_scale;
    case ProbeKind::flag:
      return binary | right_justified;
    case ProbeKind::state:
      return ascii | right_justified;
    case ProbeKind::number:
      break;
  }
  return signed_decimal | right_justified;
}

// A stepped level needs a second line for its height.
std::size_t lines_of(ProbeKind kind) {
  return kind == ProbeKind::level ? 2 : 1;
}

class Layout {
 public:
  explicit Layout(const std::vector<const ProbeInfo*>& signals)
      : signals_(signals), tree_(make_scope_tree(signals)) {
    std::size_t everything = 0;
    std::size_t second_level_closed = 0;
    for (const std::uint32_t first : tree_[0].scopes) {
      everything += all_lines(first) + 2 + 2 * tree_[first].scopes.size();
      second_level_closed += own_lines(first) + 2 + tree_[first].scopes.size();
    }
    open_first_ = second_level_closed <= screen_lines;
    open_second_ = everything <= screen_lines;
  }

  std::string text() {
    bool is_first_group = true;
    for (const std::uint32_t first : tree_[0].scopes) {
      if (tree_[first].scopes.empty() && tree_[first].signals.size() == 1) {
        put_signal(tree_[first].signals.front(), 0);
        continue;
      }
      put_first(first, is_first_group);
      is_first_group = false;
    }
    return text_;
  }

 private:
  std::size_t own_lines(std::uint32_t scope) const {
    std::size_t lines = 0;
    for (const std::uint32_t signal : tree_[scope].signals) lines += lines_of(signals_[signal]->kind);
    return lines;
  }
  std::size_t all_lines(std::uint32_t scope) const {
    std::size_t lines = own_lines(scope);
    for (const std::uint32_t child : tree_[scope].scopes) lines += all_lines(child);
    return lines;
  }

  void put_first(std::uint32_t first, bool show) {
    const Scope& scope = tree_[first];
    const std::size_t prefix = scope.name.size() + 1;
    begin_group(scope.name, open_first_ || show);
    for (const std::uint32_t signal : scope.signals) put_signal(signal, prefix);
    for (const std::uint32_t second : scope.scopes) {
      const bool open = open_second_ || (show && second == scope.scopes.front());
      begin_group(tree_[second].name, open);
      put_all(second, prefix + tree_[second].name.size() + 1);
      end_group(tree_[second].name, open);
    }
    end_group(scope.name, open_first_ || show);
  }
  void put_all(std::uint32_t scope, std::size_t prefix) {
    for (const std::uint32_t signal : tree_[scope].signals) put_signal(signal, prefix);
    for (const std::uint32_t child : tree_[scope].scopes) put_all(child, prefix);
  }
  void put_signal(std::uint32_t signal, std::size_t prefix) {
    const ProbeInfo& info = *signals_[signal];
    std::string name = info.path.substr(prefix);
    // GTKWave would show only what follows the last dot.
    std::replace(name.begin(), name.end(), '.', ' ');
    if (!info.unit.empty()) name += fmt::format(" ({})", info.unit);
    text_ += fmt::format("@{:x}\n+{{{}}} {}\n", flags_of(info.kind), name, info.path);
    if (lines_of(info.kind) > 1) text_ += fmt::format("@{:x}\n-\n", std::uint32_t{analog_stretch});
  }
  void begin_group(const std::string& name, bool open) {
    text_ += fmt::format("@{:x}\n-{}\n", group_begin | blank | (open ? 0u : closed_group), name);
  }
  void end_group(const std::string& name, bool open) {
    text_ += fmt::format("@{:x}\n-{}\n", group_end | blank | (open ? 0u : closed_group | collapsed), name);
  }

  const std::vector<const ProbeInfo*>& signals_;
  const ScopeTree tree_;
  bool open_first_;
  bool open_second_;
  std::string text_;
};

}  // namespace

std::string gtkwave_layout(std::string_view dump_name, std::string_view layout_name,
                           const std::vector<const ProbeInfo*>& signals, Time from, Time to, Time marker) {
  const double span = std::max(1.0, static_cast<double>((to - from).fs()));
  const double zoom = -std::log2(span * pixels_per_zoom_unit / waves_width);
  std::string text = fmt::format(
      "[*] {}\n[dumpfile] \"{}\"\n[savefile] \"{}\"\n[timestart] {}\n[size] {} {}\n[pos] -1 -1\n*{:.6f} {} "
      "-1 -1\n",
      "GTKWave layout by fredsim", dump_name, layout_name, from.fs(), window_width, window_height, zoom,
      marker.fs());
  text += fmt::format("[sst_width] {}\n[signals_width] {}\n[sst_expanded] 1\n", tree_width, names_width);
  return text + Layout(signals).text() + "[pattern_trace] 1\n[pattern_trace] 0\n";
}

}  // namespace fredsim::hw
