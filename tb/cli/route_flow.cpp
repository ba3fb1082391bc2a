#include "tb/cli/route_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "hw/core/error.h"

namespace fredsim::tb {
namespace {

[[noreturn]] void fail(const std::string& text, const std::string& what) {
  throw hw::InputError(fmt::format("--flow \"{}\": {}", text, what));
}

std::string_view trimmed(std::string_view word) {
  while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
  while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
  return word;
}

hw::PortId parse_port(const std::string& text, std::string_view word, const sw::Structure& structure) {
  word = trimmed(word);
  std::uint32_t port = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), port);
  if (word.empty() || end != word.data() + word.size() || error == std::errc::invalid_argument) {
    fail(text, fmt::format("\"{}\" is not a port; ports are written as 0,2 and ranges of them as 0-3", word));
  }
  if (error == std::errc::result_out_of_range || port >= structure.ports()) {
    fail(text, fmt::format("port {} does not exist; {} has ports 0 to {}", word, sw::to_string(structure),
                           structure.ports() - 1));
  }
  return hw::PortId(port);
}

std::vector<hw::PortId> parse_side(const std::string& text, std::string_view side, const char* name,
                                   const sw::Structure& structure) {
  if (trimmed(side).empty()) fail(text, fmt::format("no {} ports; at least one is needed", name));
  std::vector<hw::PortId> ports;
  for (bool more = true; more;) {
    const std::size_t comma = side.find(',');
    const std::string_view item = side.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) side.remove_prefix(comma + 1);
    const std::size_t dash = item.find('-');
    const hw::PortId first = parse_port(text, item.substr(0, dash), structure);
    const hw::PortId last =
        dash == std::string_view::npos ? first : parse_port(text, item.substr(dash + 1), structure);
    if (last < first) {
      fail(text, fmt::format("the range {}-{} runs backwards; write {}-{}", first.value, last.value,
                             last.value, first.value));
    }
    for (std::uint32_t p = first.value; p <= last.value; ++p) ports.emplace_back(p);
  }
  std::sort(ports.begin(), ports.end());
  return ports;
}

}  // namespace

sw::PortFlow parse_port_flow(const std::string& text, const sw::Structure& structure) {
  const std::size_t arrow = text.find('>');
  if (arrow == std::string::npos || text.find('>', arrow + 1) != std::string::npos) {
    fail(text, "a flow is written as input ports > output ports, for example \"0,2>0,2\"");
  }
  const std::string_view view = text;
  return {parse_side(text, view.substr(0, arrow), "input", structure),
          parse_side(text, view.substr(arrow + 1), "output", structure)};
}

}  // namespace fredsim::tb
