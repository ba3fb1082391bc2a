#include "accel/collective/barrier.h"

namespace fredsim::accel {

std::vector<RankSteps> dissemination_barrier(std::uint32_t ranks) {
  std::vector<RankSteps> result(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    RankSteps& own = result[r];
    std::uint32_t round = 0;
    for (std::uint32_t d = 1; d < ranks; d *= 2, ++round) {
      SendStep send;
      ReceiveStep receive;
      send.peer = receive.peer = round;
      send.elements = receive.elements = {round, round + 1};
      for (std::uint32_t earlier = 0; earlier < round; ++earlier) {
        own.receives[earlier].frees_sends.push_back(round);
        ++send.waits;
      }
      own.sends.push_back(send);
      own.receives.push_back(receive);
      own.to.push_back({(r + d) % ranks, 1, {round}});
      own.from.push_back({(r + ranks - d) % ranks, 1, {round}});
    }
  }
  return result;
}

}  // namespace fredsim::accel
