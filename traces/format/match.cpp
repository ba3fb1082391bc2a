#include "traces/format/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

namespace fredsim::trace {

Matching match(const hw::Workload& workload) {
  struct Waiting {
    std::deque<hw::OperationId> sends;
    std::deque<hw::OperationId> recvs;
  };
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, Waiting> channels;

  Matching matching;
  matching.partner.resize(workload.operations.size());
  for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
    const hw::Operation& operation = workload.operations[i];
    const bool sends = operation.type == hw::OperationType::send;
    if ((!sends && operation.type != hw::OperationType::recv) || operation.npus.size() != 1 ||
        !operation.peer) {
      continue;
    }
    const std::uint32_t own = operation.npus[0].value, peer = operation.peer->value;
    if (own == peer || own >= workload.npus || peer >= workload.npus) continue;
    Waiting& channel = channels[{sends ? own : peer, sends ? peer : own, operation.tag}];
    auto& partners = sends ? channel.recvs : channel.sends;
    if (partners.empty()) {
      (sends ? channel.sends : channel.recvs).push_back(hw::OperationId(i));
    } else {
      matching.partner[i] = partners.front();
      matching.partner[partners.front().value] = hw::OperationId(i);
      partners.pop_front();
    }
  }

  for (const auto& [key, channel] : channels) {
    const auto& [from, to, tag] = key;
    const auto report = [&, from = from, to = to, tag = tag](hw::OperationId id, const char* has,
                                                             const char* lacks) {
      const hw::Operation& operation = workload.operations[id.value];
      matching.unmatched.push_back(
          {workload.source, operation.line, operation.id,
           fmt::format("this {} from NPU {} to NPU {} with tag {} has no {}", has, from, to, tag, lacks)});
    };
    for (const auto id : channel.sends) report(id, "send", "recv");
    for (const auto id : channel.recvs) report(id, "recv", "send");
  }
  return matching;
}

void set_partners(hw::Workload& workload) {
  const Matching matching = match(workload);
  for (std::size_t i = 0; i < workload.operations.size(); ++i) {
    workload.operations[i].partner = matching.partner[i];
  }
}

}  // namespace fredsim::trace
