#include "tb/plan/io_streams.h"

#include <algorithm>
#include <functional>

#include "hw/core/reduces.h"
#include "switch/mesh/io_tree.h"

namespace fredsim::tb {
namespace {

Transfer transfer(const hw::Operation& operation, hw::OperationId id, hw::NpuId from, hw::Range bytes) {
  Transfer t;
  t.flow.operation = id;
  t.flow.vc = hw::channel_of(operation.traffic_class);
  t.flow.bytes = bytes.size();
  t.flow.sources = {from};
  t.source_begin = bytes.begin;
  t.result_begin = bytes.begin;
  return t;
}

}  // namespace

std::vector<Transfer> load_transfers(const hw::Operation& operation, hw::OperationId id, std::uint32_t first,
                                     std::uint32_t controllers) {
  std::vector<Transfer> transfers;
  const std::uint64_t ranks = operation.npus.size();
  const auto add = [&](Transfer t) {
    if (t.flow.bytes == 0) return;
    t.flow.part = static_cast<std::uint32_t>(transfers.size());
    transfers.push_back(std::move(t));
  };
  for (std::uint32_t c = 0; c < controllers; ++c) {
    const hw::NpuId from(first + c);
    const hw::Range part = hw::shard(operation.bytes, controllers, c);
    if (operation.mode != "shard") {
      Transfer t = transfer(operation, id, from, part);
      t.flow.destinations = operation.npus;
      std::sort(t.flow.destinations.begin(), t.flow.destinations.end());
      add(std::move(t));
      continue;
    }
    for (std::uint64_t r = 0; r < ranks; ++r) {
      const hw::Range shard = hw::shard(operation.bytes, ranks, r);
      const hw::Range common{std::max(part.begin, shard.begin), std::min(part.end, shard.end)};
      if (common.begin >= common.end) continue;
      Transfer t = transfer(operation, id, from, common);
      t.flow.destinations = {operation.npus[r]};
      t.result_begin = common.begin - shard.begin;
      add(std::move(t));
    }
  }
  return transfers;
}

std::vector<Transfer> mesh_load_transfers(const hw::Operation& operation, hw::OperationId id,
                                          const sw::Mesh& mesh) {
  std::vector<Transfer> transfers = load_transfers(operation, id, mesh.nodes(), mesh.io_controllers());
  for (Transfer& t : transfers) {
    const bool column_first = sw::column_first(mesh, t.flow.sources.front().value - mesh.nodes());
    if (operation.mode == "shard" || column_first) continue;
    t.flow.vc = t.flow.vc == hw::VirtualChannel::pp ? hw::VirtualChannel::dp : hw::VirtualChannel::pp;
  }
  return transfers;
}

std::vector<Transfer> store_transfers(const hw::Operation& operation, hw::OperationId id,
                                      const PlannedOperation& planned, std::uint32_t first,
                                      std::uint32_t controllers) {
  std::vector<Transfer> transfers;
  const std::uint64_t ranks = operation.npus.size();
  const auto add = [&](hw::Group sources, std::uint32_t controller, hw::Range bytes,
                       std::uint64_t source_begin, std::uint64_t result_begin) {
    if (bytes.begin >= bytes.end) return;
    Transfer t = transfer(operation, id, sources.front(), bytes);
    t.flow.part = static_cast<std::uint32_t>(transfers.size());
    std::sort(sources.begin(), sources.end());
    t.flow.sources = std::move(sources);
    t.flow.destinations = {hw::NpuId(first + controller)};
    t.flow.reduces = hw::reduces(operation);
    t.flow.dtype = planned.dtype;
    t.flow.op = operation.op;
    t.source_begin = source_begin;
    t.result_begin = result_begin;
    transfers.push_back(std::move(t));
  };
  for (std::uint32_t c = 0; c < controllers; ++c) {
    const std::uint64_t element = planned.element_bytes;
    const hw::Range elements = hw::shard(planned.padded_bytes / element, controllers, c);
    const hw::Range part{elements.begin * element, elements.end * element};
    if (hw::reduces(operation)) {
      add(operation.npus, c, part, part.begin, 0);
      continue;
    }
    for (std::uint64_t r = 0; r < ranks; ++r) {
      const hw::Range shard = hw::shard(operation.bytes, ranks, r);
      const hw::Range common{std::max(part.begin, shard.begin), std::min(part.end, shard.end)};
      add({operation.npus[r]}, c, common, common.begin - shard.begin, common.begin - part.begin);
    }
  }
  return transfers;
}

std::vector<accel::Ranks> gather_trees(const hw::Group& members, const sw::Mesh& mesh) {
  constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::uint32_t> rank_at(mesh.nodes(), none);
  for (std::uint32_t r = 0; r < members.size(); ++r) rank_at[members[r].value] = r;
  std::vector<accel::Ranks> trees;
  for (std::uint32_t c = 0; c < mesh.io_controllers(); ++c) {
    const std::vector<sw::SideMask> outputs = sw::io_tree(mesh, c);
    const auto sink = static_cast<std::uint32_t>(members.size()) + c;
    accel::Ranks to(members.size(), none);
    std::uint32_t root = none;  // who sends to the controller, when no member is on all ways to it
    // `next`: the rank of the last member on the way from the controller.
    const std::function<void(std::uint32_t, std::uint32_t)> visit = [&](std::uint32_t node,
                                                                        std::uint32_t next) {
      if (const std::uint32_t rank = rank_at[node]; rank != none) {
        to[rank] = next != none ? next : root != none ? root : sink;
        if (root == none) root = rank;
        next = rank;
      }
      for (const sw::Side side : {sw::Side::east, sw::Side::west, sw::Side::north, sw::Side::south}) {
        if ((outputs[node] & sw::mask_of(side)) != 0) visit(*mesh.neighbour(node, side), next);
      }
    };
    visit(mesh.io_port(c).node, none);
    trees.push_back(std::move(to));
  }
  return trees;
}

std::vector<sw::SideMask> load_tree(const hw::Flow& flow, const sw::Mesh& mesh) {
  const std::uint32_t controller = flow.sources.front().value - mesh.nodes();
  std::vector<sw::SideMask> outputs = sw::io_tree(mesh, controller);
  // Whether members are at a router or behind it; branches to none are cut off.
  const std::function<bool(std::uint32_t)> prune = [&](std::uint32_t node) {
    const bool member =
        std::binary_search(flow.destinations.begin(), flow.destinations.end(), hw::NpuId(node));
    sw::SideMask kept = member ? sw::mask_of(sw::Side::local) : sw::SideMask{0};
    for (const sw::Side side : {sw::Side::east, sw::Side::west, sw::Side::north, sw::Side::south}) {
      if ((outputs[node] & sw::mask_of(side)) != 0 && prune(*mesh.neighbour(node, side)))
        kept = static_cast<sw::SideMask>(kept | sw::mask_of(side));
    }
    outputs[node] = kept;
    return kept != 0;
  };
  prune(mesh.io_port(controller).node);
  return outputs;
}

}  // namespace fredsim::tb
