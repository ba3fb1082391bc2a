#include "switch/fabric/up_turns.h"

namespace fredsim::sw {

void UpTurns::add(const SwitchFlow& flow) {
  const std::size_t number = places_.size();
  Place& place = places_.emplace_back();
  if (flow.up_packets == 0) return;
  std::optional<Queue>& queue = queues_[flow.ports.outputs.back().value][hw::index(flow.vc)];
  if (!queue) queue.emplace();
  if (queue->turns.empty() || queue->turns.back().first_stripe != flow.first_stripe) {
    queue->turns.push_back({flow.first_stripe, flow.up_packets, {}});
  }
  queue->turns.back().flows.push_back(number);
  place = {&*queue, queue->turns.size() - 1, flow.in_turn};
}

bool UpTurns::has_turn(std::size_t flow) const {
  const Place& place = places_[flow];
  return !place.queue || !place.waits || place.turn == place.queue->next;
}

const std::vector<std::size_t>& UpTurns::pass(std::size_t flow) {
  static const std::vector<std::size_t> none;
  const Place& place = places_[flow];
  if (!place.queue) return none;
  Queue& queue = *place.queue;
  --queue.turns[place.turn].packets_left;
  const std::size_t before = queue.next;
  while (queue.next < queue.turns.size() && queue.turns[queue.next].packets_left == 0) ++queue.next;
  return queue.next == before || queue.next == queue.turns.size() ? none : queue.turns[queue.next].flows;
}

}  // namespace fredsim::sw
