#pragma once

#include <cstdint>
#include <vector>

#include "accel/collective/algorithm.h"
#include "accel/collective/step.h"
#include "hw/core/records.h"

namespace fredsim::accel {

/// Some elements and where a rank has them from: one of its receives, or its own data.
struct Piece {
  static constexpr std::uint32_t own = UINT32_MAX;
  hw::Range elements;
  std::uint32_t receive = own;  ///< index into RankSteps::receives
};

/// A message in what one rank sends to, or receives from, one peer. `place` is its first element in the
/// stream of all messages between the two, in the order of the list, whatever the order in which they go.
struct SendStep {
  std::uint32_t peer = 0;  ///< index into RankSteps::to
  hw::Range elements;
  std::uint64_t place = 0;
  std::vector<Piece> from;  ///< what it is made of
  std::uint32_t waits = 0;  ///< how many receives have to end before
};
struct ReceiveStep {
  std::uint32_t peer = 0;  ///< index into RankSteps::from
  hw::Range elements;
  std::uint64_t place = 0;
  bool reduce = false;
  bool result = false;                        ///< what it leaves is part of the rank's result
  std::vector<Piece> onto;                    ///< what it is added to
  std::uint32_t waits = 0;                    ///< how many receives have to end before it can be added
  std::uint32_t readers = 0;                  ///< later steps that use what it leaves
  std::vector<std::uint32_t> frees_sends;     ///< sends that wait for it
  std::vector<std::uint32_t> frees_receives;  ///< receives that wait for it
};

/// What one rank does in a collective. A send may go as soon as the receives it is made of have ended; a
/// receive that reduces is added to what it finds when the receives that left that have ended. So sums are
/// taken in the order of the list, however the ranks run ahead.
struct RankSteps {
  struct Peer {
    std::uint32_t rank = 0;
    std::uint64_t elements = 0;        ///< of all messages
    std::vector<std::uint32_t> steps;  ///< indices of the sends, or receives, in the order of the list
  };
  std::vector<SendStep> sends;
  std::vector<ReceiveStep> receives;
  std::vector<Peer> to;
  std::vector<Peer> from;
};

/// Splits a list of steps by rank. Throws hw::InternalError for a list that sends or adds to what a rank does
/// not have, or whose ranks do not end with exactly their results.
std::vector<RankSteps> steps_by_rank(const CollectiveRequest& request, const Steps& steps);

}  // namespace fredsim::accel
