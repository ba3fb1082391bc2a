#include "tb/plan/endpoint.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "accel/collective/barrier.h"

namespace fredsim::tb {

using hw::OperationType;

bool has_steps(OperationType type) {
  return type == OperationType::all_reduce || type == OperationType::reduce_scatter ||
         type == OperationType::all_gather || type == OperationType::reduce ||
         type == OperationType::broadcast;
}

bool EndpointPlanner::Less::operator()(const accel::CollectiveRequest& a,
                                       const accel::CollectiveRequest& b) const {
  const auto key = [](const accel::CollectiveRequest& r) {
    return std::tie(r.type, r.algorithm, r.ranks, r.root, r.elements, r.chunks, r.ring, r.groups);
  };
  return key(a) < key(b);
}

std::vector<accel::Ranks> EndpointPlanner::groups_of(const hw::Group& npus, const accel::Ranks& ring) const {
  std::map<std::uint32_t, accel::Ranks> by_place;
  for (const std::uint32_t rank : ring) by_place[place_of_(npus[rank])].push_back(rank);
  std::vector<accel::Ranks> groups;
  for (auto& [place, ranks] : by_place) groups.push_back(std::move(ranks));
  return groups;
}

/// As many as asked for, but a message fills a packet.
std::uint32_t EndpointPlanner::chunks_of(const accel::CollectiveRequest& request,
                                         std::uint32_t element_bytes) const {
  const bool rooted = request.type == OperationType::broadcast || request.type == OperationType::reduce;
  const bool halves = request.algorithm == accel::Algorithm::bidirectional_ring ||
                      request.algorithm == accel::Algorithm::hierarchical_2d;
  const std::uint64_t messages = (rooted ? 1u : request.ranks) * std::uint64_t{halves ? 2u : 1u};
  const std::uint64_t packet = options_.packet.payload(element_bytes) / element_bytes;
  const std::uint64_t most = request.elements / messages / packet;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most, 1, options_.chunks));
}

void EndpointPlanner::plan(const hw::Operation& operation, accel::Algorithm algorithm,
                           PlannedOperation& planned) {
  accel::CollectiveRequest request;
  request.type = operation.type;
  request.algorithm = algorithm;
  request.ranks = static_cast<std::uint32_t>(operation.npus.size());
  request.elements = planned.padded_bytes / planned.element_bytes;
  if (operation.type == OperationType::all_gather) request.elements *= request.ranks;
  if (operation.root) {
    const auto root = std::find(operation.npus.begin(), operation.npus.end(), *operation.root);
    request.root = static_cast<std::uint32_t>(root - operation.npus.begin());
  }
  // Neighbours by number are near each other, whatever the order of ranks.
  request.ring.resize(request.ranks);
  std::iota(request.ring.begin(), request.ring.end(), 0u);
  std::sort(request.ring.begin(), request.ring.end(),
            [&](std::uint32_t a, std::uint32_t b) { return operation.npus[a] < operation.npus[b]; });
  if (accel::is_hierarchical(algorithm)) {
    request.groups = groups_of(operation.npus, request.ring);
    const std::size_t size = request.groups.front().size();
    const bool equal = std::all_of(request.groups.begin(), request.groups.end(),
                                   [&](const accel::Ranks& group) { return group.size() == size; });
    if (!equal || size == 1 || request.groups.size() == 1) {
      request.algorithm = accel::Algorithm::ring;
      request.groups.clear();
    }
  }
  request.chunks = chunks_of(request, planned.element_bytes);

  planned.algorithm = to_string(request.algorithm);
  std::shared_ptr<const EndpointPlan>& made = made_[request];
  if (!made) {
    auto fresh = std::make_shared<EndpointPlan>();
    fresh->request = request;
    fresh->steps = accel::make_steps(request);
    fresh->ranks = accel::steps_by_rank(request, fresh->steps);
    made = std::move(fresh);
  }
  planned.endpoint = made;
}

void EndpointPlanner::plan_barrier(const hw::Operation& operation, PlannedOperation& planned) {
  accel::CollectiveRequest request;
  request.type = OperationType::barrier;
  request.ranks = static_cast<std::uint32_t>(operation.npus.size());
  std::shared_ptr<const EndpointPlan>& made = made_[request];
  if (!made) {
    auto fresh = std::make_shared<EndpointPlan>();
    fresh->request = request;
    fresh->ranks = accel::dissemination_barrier(request.ranks);
    made = std::move(fresh);
  }
  planned.algorithm = "dissemination";
  planned.endpoint = made;
}

}  // namespace fredsim::tb
