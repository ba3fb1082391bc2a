#include "tb/tests/collective/player.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace fredsim::accel::test {

Memory initial(const CollectiveRequest& request) {
  Memory memory(request.ranks, std::vector<Element>(request.elements));
  for (std::uint32_t r = 0; r < request.ranks; ++r) {
    const hw::Range own = ends_of(request, r).own;
    for (std::uint64_t e = own.begin; e < own.end; ++e) memory[r][e] = std::to_string(r);
  }
  return memory;
}

Memory play_list(const CollectiveRequest& request, const Steps& steps) {
  Memory memory = initial(request);
  for (const Step& step : steps) {
    for (std::uint64_t e = step.elements.begin; e < step.elements.end; ++e) {
      const Element& sent = memory[step.from][e];
      EXPECT_FALSE(sent.empty());
      Element& here = memory[step.to][e];
      here = step.reduce ? "(" + here + "+" + sent + ")" : sent;
    }
  }
  return memory;
}

namespace {

class Game {
 public:
  Game(const CollectiveRequest& request, const std::vector<RankSteps>& ranks, std::uint64_t seed)
      : ranks_(ranks), memory_(initial(request)), random_(seed) {
    for (const RankSteps& rank : ranks) {
      State state;
      for (const SendStep& send : rank.sends) state.send_waits.push_back(send.waits);
      for (const ReceiveStep& receive : rank.receives) state.receive_waits.push_back(receive.waits);
      state.sent.resize(rank.sends.size());
      state.here.resize(rank.receives.size());
      state.done.resize(rank.receives.size());
      state.left.resize(rank.receives.size());
      states_.push_back(std::move(state));
    }
  }

  Memory run() {
    for (;;) {
      std::vector<Move> moves;
      for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
        for (std::uint32_t s = 0; s < ranks_[r].sends.size(); ++s) {
          if (!states_[r].sent[s] && states_[r].send_waits[s] == 0) moves.push_back({r, s, true});
        }
        for (std::uint32_t s = 0; s < ranks_[r].receives.size(); ++s) {
          if (states_[r].here[s] && !states_[r].done[s] && states_[r].receive_waits[s] == 0)
            moves.push_back({r, s, false});
        }
      }
      if (moves.empty()) break;
      const Move move = moves[random_() % moves.size()];
      move.send ? send(move.rank, move.step) : apply(move.rank, move.step);
    }
    for (const State& state : states_) {
      for (const bool sent : state.sent) EXPECT_TRUE(sent);
      for (const bool done : state.done) EXPECT_TRUE(done);
    }
    return memory_;
  }

 private:
  struct Move {
    std::uint32_t rank, step;
    bool send;
  };
  struct State {
    std::vector<std::uint32_t> send_waits, receive_waits;
    std::vector<bool> sent, here, done;
    std::vector<std::vector<Element>> left;
  };

  std::vector<Element> read(std::uint32_t rank, const std::vector<Piece>& pieces) const {
    std::vector<Element> elements;
    for (const Piece& piece : pieces) {
      for (std::uint64_t e = piece.elements.begin; e < piece.elements.end; ++e) {
        if (piece.receive == Piece::own) {
          elements.push_back(std::to_string(rank));
        } else {
          const std::uint64_t first = ranks_[rank].receives[piece.receive].elements.begin;
          elements.push_back(states_[rank].left[piece.receive].at(e - first));
        }
      }
    }
    return elements;
  }

  void send(std::uint32_t rank, std::uint32_t s) {
    states_[rank].sent[s] = true;
    const SendStep& step = ranks_[rank].sends[s];
    const std::uint32_t to = ranks_[rank].to[step.peer].rank;
    const std::uint32_t r = matching(rank, step);
    states_[to].here[r] = true;
    in_flight_[{to, r}] = {rank, s};
  }

  /// The receive, at the peer, of a send.
  std::uint32_t matching(std::uint32_t rank, const SendStep& step) const {
    for (const RankSteps::Peer& peer : ranks_[ranks_[rank].to[step.peer].rank].from) {
      if (peer.rank != rank) continue;
      for (const std::uint32_t r : peer.steps) {
        const ReceiveStep& receive = ranks_[ranks_[rank].to[step.peer].rank].receives[r];
        if (receive.place == step.place) {
          EXPECT_EQ(receive.elements.begin, step.elements.begin);
          EXPECT_EQ(receive.elements.end, step.elements.end);
          return r;
        }
      }
    }
    ADD_FAILURE() << "a send without a receive";
    return 0;
  }

  void apply(std::uint32_t rank, std::uint32_t r) {
    const ReceiveStep& step = ranks_[rank].receives[r];
    const auto [from, s] = in_flight_.at({rank, r});
    const std::vector<Element> came = read(from, ranks_[from].sends[s].from);
    std::vector<Element> here = step.reduce ? read(rank, step.onto) : came;
    ASSERT_EQ(here.size(), came.size());
    for (std::size_t e = 0; step.reduce && e < here.size(); ++e)
      here[e] = "(" + here[e] + "+" + came[e] + ")";
    for (std::size_t e = 0; step.result && e < here.size(); ++e)
      memory_[rank][step.elements.begin + e] = here[e];
    states_[rank].left[r] = std::move(here);
    states_[rank].done[r] = true;
    for (const std::uint32_t send : step.frees_sends) --states_[rank].send_waits[send];
    for (const std::uint32_t receive : step.frees_receives) --states_[rank].receive_waits[receive];
  }

  const std::vector<RankSteps>& ranks_;
  Memory memory_;
  std::mt19937_64 random_;
  std::vector<State> states_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> in_flight_;
};

}  // namespace

Memory play_ranks(const CollectiveRequest& request, const std::vector<RankSteps>& ranks, std::uint64_t seed) {
  return Game(request, ranks, seed).run();
}

std::vector<Ranks> rows(std::uint32_t ranks, std::uint32_t columns) {
  std::vector<Ranks> result(ranks / columns);
  for (std::uint32_t r = 0; r < ranks; ++r) result[r / columns].push_back(r);
  return result;
}

}  // namespace fredsim::accel::test
