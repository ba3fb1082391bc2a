#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/core/records.h"

namespace fredsim::sw {

/// The ports of a router: its NPU, and the four sides. Rows are counted from the north, columns from the
/// west.
enum class Side : std::uint8_t { local, east, west, north, south };
constexpr std::size_t mesh_ports = 5;
constexpr std::size_t index(Side side) {
  return static_cast<std::size_t>(side);
}
constexpr hw::PortId port_of(Side side) {
  return hw::PortId(static_cast<std::uint32_t>(side));
}
/// "npu", "east", "west", "north", "south".
std::string_view to_string(Side side);
constexpr Side opposite(Side side) {
  switch (side) {
    case Side::east:
      return Side::west;
    case Side::west:
      return Side::east;
    case Side::north:
      return Side::south;
    case Side::south:
      return Side::north;
    default:
      return Side::local;
  }
}

/// The longest side of a mesh.
constexpr std::uint32_t max_mesh_side = 32;

/// A port of a router: `node` is the router's number, that of its NPU.
struct MeshPort {
  std::uint32_t node = 0;
  Side side = Side::local;

  friend bool operator==(MeshPort a, MeshPort b) { return a.node == b.node && a.side == b.side; }
};

/// A mesh of routers with an NPU each, numbered row by row, so that consecutive NPUs are neighbours in a row.
/// Every side of a router on the edge that leads nowhere has an I/O controller (FRED sec. 7.1: 18 on 4
/// columns and 5 rows, corners have two).
class Mesh {
 public:
  Mesh(std::uint32_t columns, std::uint32_t rows) : columns_(columns), rows_(rows) {}

  std::uint32_t columns() const { return columns_; }
  std::uint32_t rows() const { return rows_; }
  std::uint32_t nodes() const { return columns_ * rows_; }
  std::uint32_t column_of(std::uint32_t node) const { return node % columns_; }
  std::uint32_t row_of(std::uint32_t node) const { return node / columns_; }
  std::uint32_t node_at(std::uint32_t column, std::uint32_t row) const { return row * columns_ + column; }

  /// The router on a side; none beyond the edge and for the NPU.
  std::optional<std::uint32_t> neighbour(std::uint32_t node, Side side) const;
  /// X-Y routing: along the row first, then along the column; `local` where it is.
  Side towards(std::uint32_t node, std::uint32_t destination) const;
  /// Links between routers on the way.
  std::uint32_t distance(std::uint32_t a, std::uint32_t b) const;

  /// Along the north edge, the east, the south and the west, from west to east and from north to south.
  std::uint32_t io_controllers() const { return 2 * (columns_ + rows_); }
  MeshPort io_port(std::uint32_t controller) const;

  /// "r2_1": row 2, column 1.
  std::string name_of(std::uint32_t node) const;

 private:
  std::uint32_t columns_, rows_;
};

}  // namespace fredsim::sw
