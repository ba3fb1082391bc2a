#include "tb/plan/io_streams.h"

#include <algorithm>
#include <functional>

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
