#include "accel/collective/rank_steps.h"

#include <algorithm>
#include <map>
#include <set>

#include "hw/core/error.h"

namespace fredsim::accel {
namespace {

/// What one rank has, and from which receive, as the list goes on.
class Holdings {
 public:
  explicit Holdings(hw::Range own) {
    if (own.size() > 0) pieces_[own.begin] = {own, Piece::own};
  }

  /// All of `elements`; throws when some of them are not there.
  std::vector<Piece> find(hw::Range elements) const {
    std::vector<Piece> found;
    auto at = pieces_.upper_bound(elements.begin);
    if (at != pieces_.begin()) --at;
    std::uint64_t next = elements.begin;
    for (; at != pieces_.end() && at->second.elements.begin < elements.end; ++at) {
      const Piece& piece = at->second;
      if (piece.elements.end <= next) continue;
      if (piece.elements.begin > next) break;
      const std::uint64_t end = std::min(piece.elements.end, elements.end);
      if (!found.empty() && found.back().receive == piece.receive) {
        found.back().elements.end = end;
      } else {
        found.push_back({{next, end}, piece.receive});
      }
      next = end;
    }
    if (next < elements.end) throw hw::InternalError("a step uses elements that its rank does not have");
    return found;
  }

  void put(hw::Range elements, std::uint32_t receive) {
    cut(elements.begin);
    cut(elements.end);
    pieces_.erase(pieces_.lower_bound(elements.begin), pieces_.lower_bound(elements.end));
    pieces_[elements.begin] = {elements, receive};
  }

 private:
  /// Makes a piece begin at `at`, if there is one there.
  void cut(std::uint64_t at) {
    auto after = pieces_.upper_bound(at);
    if (after == pieces_.begin()) return;
    Piece& piece = std::prev(after)->second;
    if (piece.elements.begin == at || piece.elements.end <= at) return;
    pieces_[at] = {{at, piece.elements.end}, piece.receive};
    piece.elements.end = at;
  }

  std::map<std::uint64_t, Piece> pieces_;  ///< by first element
};

/// A rank's steps while they are gathered.
class Rank {
 public:
  explicit Rank(const Ends& ends) : ends_(ends), holdings_(ends.own) {}

  void send(const Step& step) {
    SendStep send;
    send.elements = step.elements;
    const auto index = static_cast<std::uint32_t>(steps_.sends.size());
    send.peer = add_to(steps_.to, to_, step.to, step.elements, index, send.place);
    send.from = holdings_.find(step.elements);
    for (const std::uint32_t receive : receives_of(send.from)) {
      steps_.receives[receive].frees_sends.push_back(index);
      ++steps_.receives[receive].readers;
      ++send.waits;
    }
    steps_.sends.push_back(std::move(send));
  }

  void receive(const Step& step) {
    ReceiveStep receive;
    receive.elements = step.elements;
    receive.reduce = step.reduce;
    const auto index = static_cast<std::uint32_t>(steps_.receives.size());
    receive.peer = add_to(steps_.from, from_, step.from, step.elements, index, receive.place);
    if (step.reduce) {
      receive.onto = holdings_.find(step.elements);
      for (const std::uint32_t earlier : receives_of(receive.onto)) {
        steps_.receives[earlier].frees_receives.push_back(index);
        ++steps_.receives[earlier].readers;
        ++receive.waits;
      }
    }
    holdings_.put(step.elements, index);
    steps_.receives.push_back(std::move(receive));
  }

  RankSteps finish() {
    if (ends_.result.size() == 0) return std::move(steps_);
    std::map<std::uint32_t, std::uint64_t> left;
    for (const Piece& piece : holdings_.find(ends_.result)) {
      if (piece.receive != Piece::own) left[piece.receive] += piece.elements.size();
    }
    for (const auto& [receive, elements] : left) {
      if (elements != steps_.receives[receive].elements.size())
        throw hw::InternalError("a step leaves only a part of its elements to the result");
      steps_.receives[receive].result = true;
    }
    return std::move(steps_);
  }

 private:
  static std::set<std::uint32_t> receives_of(const std::vector<Piece>& pieces) {
    std::set<std::uint32_t> receives;
    for (const Piece& piece : pieces) {
      if (piece.receive != Piece::own) receives.insert(piece.receive);
    }
    return receives;
  }

  static std::uint32_t add_to(std::vector<RankSteps::Peer>& peers, std::map<std::uint32_t, std::uint32_t>& of,
                              std::uint32_t rank, hw::Range elements, std::uint32_t step,
                              std::uint64_t& place) {
    const auto [found, fresh] = of.try_emplace(rank, static_cast<std::uint32_t>(peers.size()));
    if (fresh) peers.push_back({rank, 0, {}});
    RankSteps::Peer& peer = peers[found->second];
    place = peer.elements;
    peer.elements += elements.size();
    peer.steps.push_back(step);
    return found->second;
  }

  Ends ends_;
  Holdings holdings_;
  RankSteps steps_;
  std::map<std::uint32_t, std::uint32_t> to_, from_;
};

}  // namespace

std::vector<RankSteps> steps_by_rank(const CollectiveRequest& request, const Steps& steps) {
  std::vector<Rank> ranks;
  for (std::uint32_t r = 0; r < request.ranks; ++r) ranks.emplace_back(ends_of(request, r));
  for (const Step& step : steps) {
    ranks.at(step.from).send(step);
    ranks.at(step.to).receive(step);
  }
  std::vector<RankSteps> result;
  for (Rank& rank : ranks) result.push_back(rank.finish());
  return result;
}

}  // namespace fredsim::accel
