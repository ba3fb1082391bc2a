#include "accel/collective/halving_doubling.h"

namespace fredsim::accel {
namespace {

class Exchange {
 public:
  Exchange(const std::vector<Ranges>& blocks, std::uint32_t chunk, Steps& steps)
      : blocks_(blocks), chunk_(chunk), steps_(steps) {
    const auto ranks = static_cast<std::uint32_t>(blocks.size());
    while (2 * cores_ <= ranks) cores_ *= 2;
    extras_ = ranks - cores_;
  }

  /// Everything that extra ranks have is added to what their cores have.
  void fold_all() {
    const Ranges all = blocks_of(0, cores_);
    for (std::uint32_t c = 0; c < extras_; ++c) add_steps(steps_, extra(c), rank(c), all, true, chunk_);
  }
  /// Cores take over the blocks of extra ranks.
  void fold_blocks() {
    for (std::uint32_t c = 0; c < extras_; ++c)
      add_steps(steps_, extra(c), rank(c), blocks_[extra(c)], false, chunk_);
  }
  void halve() {
    for (std::uint32_t d = cores_ / 2; d > 0; d /= 2) {
      for (std::uint32_t c = 0; c < cores_; ++c) exchange(c, c ^ d, (c ^ d) / d * d, d, true);
    }
  }
  void double_up() {
    for (std::uint32_t d = 1; d < cores_; d *= 2) {
      for (std::uint32_t c = 0; c < cores_; ++c) exchange(c, c ^ d, c / d * d, d, false);
    }
  }
  /// Extra ranks get their blocks.
  void unfold_blocks() {
    for (std::uint32_t c = 0; c < extras_; ++c)
      add_steps(steps_, rank(c), extra(c), blocks_[extra(c)], false, chunk_);
  }
  /// Extra ranks get everything but `but_own` blocks of theirs.
  void unfold_all(bool but_own) {
    for (std::uint32_t c = 0; c < extras_; ++c) {
      std::vector<Ranges> given;
      for (std::uint32_t r = 0; r < blocks_.size(); ++r) {
        if (!but_own || r != extra(c)) given.push_back(blocks_[r]);
      }
      add_steps(steps_, rank(c), extra(c), join(given), false, chunk_);
    }
  }

 private:
  /// The first 2 `extras_` ranks are pairs, extra rank first.
  static std::uint32_t extra(std::uint32_t core) { return 2 * core; }
  std::uint32_t rank(std::uint32_t core) const { return core < extras_ ? 2 * core + 1 : core + extras_; }

  /// What `count` cores from `first` on stand for.
  Ranges blocks_of(std::uint32_t first, std::uint32_t count) const {
    std::vector<Ranges> parts;
    for (std::uint32_t c = first; c < first + count; ++c) {
      parts.push_back(blocks_[rank(c)]);
      if (c < extras_) parts.push_back(blocks_[extra(c)]);
    }
    return join(parts);
  }

  void exchange(std::uint32_t from, std::uint32_t to, std::uint32_t first, std::uint32_t count, bool reduce) {
    if (reduce && count == 1) {
      // What ends here, and what goes on to the extra rank, each by itself.
      if (first < extras_) add_steps(steps_, rank(from), rank(to), blocks_[extra(first)], reduce, chunk_);
      add_steps(steps_, rank(from), rank(to), blocks_[rank(first)], reduce, chunk_);
    } else {
      add_steps(steps_, rank(from), rank(to), blocks_of(first, count), reduce, chunk_);
    }
  }

  const std::vector<Ranges>& blocks_;
  std::uint32_t chunk_;
  Steps& steps_;
  std::uint32_t cores_ = 1;
  std::uint32_t extras_ = 0;
};

}  // namespace

void halving_reduce_scatter(const std::vector<Ranges>& blocks, std::uint32_t chunk, Steps& steps) {
  Exchange exchange(blocks, chunk, steps);
  exchange.fold_all();
  exchange.halve();
  exchange.unfold_blocks();
}

void doubling_all_gather(const std::vector<Ranges>& blocks, std::uint32_t chunk, Steps& steps) {
  Exchange exchange(blocks, chunk, steps);
  exchange.fold_blocks();
  exchange.double_up();
  exchange.unfold_all(true);
}

void halving_doubling_all_reduce(const std::vector<Ranges>& blocks, std::uint32_t chunk, Steps& steps) {
  Exchange exchange(blocks, chunk, steps);
  exchange.fold_all();
  exchange.halve();
  exchange.double_up();
  exchange.unfold_all(false);
}

}  // namespace fredsim::accel
