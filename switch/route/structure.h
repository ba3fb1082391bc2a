#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fredsim::sw {

constexpr std::uint32_t min_ports = 2;
constexpr std::uint32_t max_ports = 64;
constexpr std::uint32_t min_middle = 2;
constexpr std::uint32_t max_middle = 8;

/// What FRED_m(P) is made of (FRED sec. 4, fig. 7). A demux and a mux lead the odd last port to and from the
/// middle switches; they neither reduce nor copy.
enum class ElementKind : std::uint8_t { r, d, rd, demux, mux };

/// "r", "d", "rd", "demux", "mux".
std::string_view to_string(ElementKind);

/// One end of a wire: input or output `port` of an element, or port `port` of the switch itself.
struct Terminal {
  static constexpr std::uint32_t outside = UINT32_MAX;

  std::uint32_t element = outside;  ///< index into Structure::elements(), or `outside`
  std::uint32_t port = 0;

  bool is_switch_port() const { return element == outside; }
  friend bool operator==(Terminal a, Terminal b) { return a.element == b.element && a.port == b.port; }
};

/// A micro-switch, or the demux or mux beside them, with its place in the switch.
struct Element {
  ElementKind kind = ElementKind::rd;
  std::string name;  ///< unique, made of the middle switches around it: "r0", "m2.r0", "m2.m1.rd", "mux"
  std::uint32_t level = 0;    ///< of the recursion, 0 = outermost
  std::uint32_t stage = 0;    ///< of the switch, 0 = at the input ports, stages() - 1 = at the output ports
  std::uint32_t inputs = 0;   ///< R: 2, D: m, RD: 2, demux: 1, mux: m
  std::uint32_t outputs = 0;  ///< R: m, D: 2, RD: 2, demux: m, mux: 1
  std::vector<Terminal>
      output_to;  ///< one for each output: an element's input, or an output port of the switch
};

struct ElementCounts {
  std::uint32_t r = 0;
  std::uint32_t d = 0;
  std::uint32_t rd = 0;
  std::uint32_t demux = 0;
  std::uint32_t mux = 0;
};

/// The recursive Clos network FRED_m(P) (FRED sec. 4): floor(P / 2) R-micro-switches, m middle FRED_m(ceil(P
/// / 2)) and floor(P / 2) D-micro-switches; an odd last port meets the middle switches through a demux and a
/// mux; FRED_m(2) is one RD-micro-switch. R-micro-switch i has input ports 2i and 2i + 1 and feeds input i of
/// every middle switch, its output j going to middle switch j; D-micro-switches mirror that.
///
/// Elements are numbered depth first (inputs' side, middle switch 0, 1, ..., outputs' side), so every wire
/// leads from a lower to a higher index.
class Structure {
 public:
  /// Throws hw::InputError if `ports` is not in 2..64 or `middle` not in 2..8.
  Structure(std::uint32_t ports, std::uint32_t middle);

  std::uint32_t ports() const { return ports_; }
  std::uint32_t middle() const { return middle_; }

  /// Levels at which a flow chooses a middle switch, the length of Route::colors: ceil(log2 P) - 1.
  std::uint32_t levels() const { return levels_; }
  /// Elements that a packet crosses, the same on every path: 2 levels() + 1. A demux or mux counts like the R
  /// or D that it stands beside.
  std::uint32_t stages() const { return 2 * levels_ + 1; }
  /// Ports of the (middle) switches at `level`; `level` = levels() are the RD-micro-switches.
  std::uint32_t ports_at(std::uint32_t level) const;
  /// Index of the first element of middle switch `color` inside the switch of `level` whose first element is
  /// `base`.
  std::uint32_t middle_base(std::uint32_t level, std::uint32_t base, std::uint32_t color) const;
  /// Index of the first output-side element (D-micro-switch 0) of the switch of `level` whose first element
  /// is `base`.
  std::uint32_t output_base(std::uint32_t level, std::uint32_t base) const;

  const std::vector<Element>& elements() const { return elements_; }
  /// The element input that each input port of the switch feeds.
  const std::vector<Terminal>& input_to() const { return input_to_; }
  const ElementCounts& counts() const { return counts_; }

  /// Bits that one route set takes in the route memory (FRED sec. 6.2.3 gives the memory's size only; the
  /// count is derived from the elements). Every input of an R and of a demux, and every output of a D and of
  /// a mux, holds "idle" or one of m middle switches, ceil(log2(m + 1)) bits; that an R reduces (a D copies)
  /// is said by both its inputs (outputs) naming the same middle switch. An RD holds for each of its 2
  /// outputs a mask of its 2 inputs.
  ///   FRED_3(8): 10 R x 2 x 2 + 10 D x 2 x 2 + 9 RD x 4 = 116 bits.
  std::uint32_t route_bits() const;

 private:
  /// The ends of a switch as its surroundings see them.
  struct Ends {
    std::vector<Terminal> inputs;   ///< what each input port feeds
    std::vector<Terminal> outputs;  ///< the element output that feeds each output port
  };

  std::uint32_t add(ElementKind kind, const std::string& name, std::uint32_t level);
  Ends build(std::uint32_t level, const std::string& prefix);

  std::uint32_t ports_;
  std::uint32_t middle_;
  std::uint32_t levels_ = 0;
  std::vector<Element> elements_;
  std::vector<Terminal> input_to_;
  std::vector<std::uint32_t> size_at_;  ///< for each level: elements of one switch of it
  ElementCounts counts_;
};

/// "FRED_3(8)".
std::string to_string(const Structure&);

}  // namespace fredsim::sw
