#pragma once

#include <cstdint>
#include <vector>

#include "switch/route/routing.h"
#include "switch/route/structure.h"

namespace fredsim::sw {

/// Route set 0 of a switch (FRED sec. 6.2.3): unicasts are routed as they come and keep their wires until
/// they end. With m >= 3 a path is found whatever the open ones are (strict-sense non-blocking, FRED
/// sec. 5.3); with m = 2 there may be none, and then none exists that leaves the open ones in place. Nothing
/// is allocated after construction.
class OnlineRouter {
 public:
  explicit OnlineRouter(const Structure&);

  /// The path of a unicast from input port `in` to output port `out`, held until close(in), or null if every
  /// path is blocked. At each level the first free middle switch is taken. The pointer is good until
  /// close(in). Throws hw::InternalError if a port is out of range or is held already in that direction.
  const Route* open(hw::PortId in, hw::PortId out);
  /// Frees the path from `in`. Throws hw::InternalError if there is none.
  void close(hw::PortId in);

  bool input_free(hw::PortId in) const { return output_of_[in.value] == closed_; }
  bool output_free(hw::PortId out) const { return input_of_[out.value] == closed_; }
  std::uint32_t open_count() const { return open_count_; }

 private:
  static constexpr std::uint32_t closed_ = UINT32_MAX;

  bool find(std::uint32_t level, std::uint32_t node, std::uint32_t in, std::uint32_t out, Route& route) const;
  /// Takes the wires of a route, or gives them back.
  void flip(std::uint32_t in, std::uint32_t out, const Route& route);
  /// The input (or output) element at which `port` enters (or leaves) the `node`-th switch of `level`.
  std::uint32_t slot(std::uint32_t level, std::uint32_t node, std::uint32_t port) const;

  std::uint32_t middle_;
  std::uint32_t levels_;
  std::vector<std::uint32_t> level_offset_;  ///< where the elements of a level begin in the vectors of wires
  std::vector<std::uint32_t> level_width_;   ///< input (and output) elements of one switch of a level
  std::vector<std::uint8_t> input_wires_;    ///< for each input element: the middle switches that it sends to
  std::vector<std::uint8_t>
      output_wires_;         ///< for each output element: the middle switches that it receives from
  std::vector<Route> held_;  ///< for each input port
  std::vector<std::uint32_t> output_of_;  ///< for each input port: the output port that it is open to
  std::vector<std::uint32_t> input_of_;   ///< for each output port
  std::uint32_t open_count_ = 0;
};

}  // namespace fredsim::sw
