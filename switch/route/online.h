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

  /// The path of a unicast from input port `in` to output port `out`, held until close(in), or null if all
  /// paths are blocked. The first free middle switch is taken at every level. Throws hw::InternalError if a
  /// port is out of range or is already held in that direction.
  const Route* open(hw::PortId in, hw::PortId out);
  /// Frees the path from `in`. Throws hw::InternalError if there is none.
  void close(hw::PortId in);
  void close_all();

  bool input_free(hw::PortId in) const { return held_[in.value].output == free_; }
  bool output_free(hw::PortId out) const { return output_held_[out.value] == 0; }
  std::uint32_t open_count() const { return open_count_; }

 private:
  static constexpr std::uint32_t free_ = UINT32_MAX;

  struct Held {
    std::uint32_t output = free_;
    Route route;
  };

  bool find(std::uint32_t level, std::uint32_t node, std::uint32_t in, std::uint32_t out, Route& route);
  void mark(const Held& held, std::uint32_t in, bool used);
  std::uint32_t slot(std::uint32_t level, std::uint32_t node, std::uint32_t port) const;

  std::uint32_t ports_;
  std::uint32_t middle_;
  std::uint32_t levels_;
  std::vector<std::uint32_t> level_offset_;  ///< where a level's switches begin in the two vectors below
  std::vector<std::uint32_t> level_width_;   ///< input (= output) elements of one switch of the level
  std::vector<std::uint8_t>
      input_wires_;  ///< for each input element: the middle switches it sends to, a bit each
  std::vector<std::uint8_t> output_wires_;  ///< for each output element: the middle switches it receives from
  std::vector<Held> held_;                  ///< for each input port
  std::vector<std::uint8_t> output_held_;   ///< for each output port
  std::uint32_t open_count_ = 0;
};

}  // namespace fredsim::sw
