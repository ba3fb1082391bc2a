#include "switch/mesh/mesh.h"

#include <array>

namespace fredsim::sw {

std::string_view to_string(Side side) {
  constexpr std::array<std::string_view, mesh_ports> names = {"npu", "east", "west", "north", "south"};
  return names.at(index(side));
}

std::optional<std::uint32_t> Mesh::neighbour(std::uint32_t node, Side side) const {
  const std::uint32_t column = column_of(node);
  const std::uint32_t row = row_of(node);
  switch (side) {
    case Side::east:
      if (column + 1 < columns_) return node + 1;
      break;
    case Side::west:
      if (column > 0) return node - 1;
      break;
    case Side::north:
      if (row > 0) return node - columns_;
      break;
    case Side::south:
      if (row + 1 < rows_) return node + columns_;
      break;
    case Side::local:
      break;
  }
  return std::nullopt;
}

Side Mesh::towards(std::uint32_t node, std::uint32_t destination) const {
  const std::uint32_t here = column_of(node);
  const std::uint32_t there = column_of(destination);
  if (there > here) return Side::east;
  if (there < here) return Side::west;
  if (destination > node) return Side::south;
  if (destination < node) return Side::north;
  return Side::local;
}

std::uint32_t Mesh::distance(std::uint32_t a, std::uint32_t b) const {
  const auto apart = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
  return apart(column_of(a), column_of(b)) + apart(row_of(a), row_of(b));
}

MeshPort Mesh::io_port(std::uint32_t controller) const {
  if (controller < columns_) return {node_at(controller, 0), Side::north};
  controller -= columns_;
  if (controller < rows_) return {node_at(columns_ - 1, controller), Side::east};
  controller -= rows_;
  if (controller < columns_) return {node_at(controller, rows_ - 1), Side::south};
  return {node_at(0, controller - columns_), Side::west};
}

std::string Mesh::name_of(std::uint32_t node) const {
  return "r" + std::to_string(row_of(node)) + "_" + std::to_string(column_of(node));
}

}  // namespace fredsim::sw
