#include <fmt/format.h>

#include "traces/generate/training_builder.h"

namespace fredsim::trace {
namespace {

class Stationary {
 public:
  explicit Stationary(TrainingBuilder& builder)
      : builder_(builder),
        pattern_(builder.pattern()),
        updated_(std::size_t{pattern_.mp} * builder.layers().size()) {}

  void run() {
    builder_.use_input(builder_.load_input("0", {}));
    for (iteration_ = 0; iteration_ < pattern_.iterations; ++iteration_) {
      for (std::uint32_t b = 0; b < pattern_.microbatches; ++b) forward(b);
      for (std::uint32_t b = 0; b < pattern_.microbatches; ++b) backward(b);
      add_up_gradients();
      // Loaded while this iteration runs, used by the first computes of the next.
      if (iteration_ + 1 < pattern_.iterations)
        builder_.use_input(builder_.load_input(std::to_string(iteration_ + 1), first_computes_));
    }
  }

 private:
  hw::Range block(std::uint32_t p) const { return hw::shard(builder_.layers().size(), pattern_.pp, p); }
  std::string id(char direction, std::uint32_t b) const {
    return fmt::format("{}{}{}", iteration_, direction, b);
  }
  Operations& updated(std::uint32_t layer, std::uint32_t m) { return updated_[layer * pattern_.mp + m]; }

  void hand_over(char direction, std::uint32_t b, std::uint32_t layer, std::uint32_t from, std::uint32_t to,
                 std::uint32_t d) {
    const hw::OperationId copied = builder_.hand_over(id(direction, b), layer, from, to, d);
    for (std::uint32_t m = 0; m < pattern_.mp; ++m)
      builder_.waits[builder_.index({m, to, d})].push_back(copied);
  }

  void forward(std::uint32_t b) {
    if (b == 0) first_computes_.assign(builder_.workers(), hw::OperationId(0));
    for (std::uint32_t p = 0; p < pattern_.pp; ++p) {
      for (std::uint32_t d = 0; d < pattern_.dp; ++d) {
        for (auto l = static_cast<std::uint32_t>(block(p).begin); l < block(p).end; ++l) {
          for (std::uint32_t m = 0; m < pattern_.mp && b == 0; ++m) {
            Operations& waits = builder_.waits[builder_.index({m, p, d})];
            waits.insert(waits.end(), updated(l, m).begin(), updated(l, m).end());
          }
          builder_.pass(id('f', b), l, p, d, false);
          for (std::uint32_t m = 0; m < pattern_.mp && b == 0 && l == block(p).begin; ++m) {
            const std::uint32_t w = builder_.index({m, p, d});
            first_computes_[w] = *builder_.last[w];
          }
        }
        if (p + 1 < pattern_.pp) hand_over('f', b, static_cast<std::uint32_t>(block(p).end - 1), p, p + 1, d);
      }
    }
  }

  void backward(std::uint32_t b) {
    const bool last = b + 1 == pattern_.microbatches;
    if (last) gradients_.assign(builder_.layers().size(), std::vector<Operations>(pattern_.mp));
    for (std::uint32_t p = pattern_.pp; p-- > 0;) {
      for (std::uint32_t d = 0; d < pattern_.dp; ++d) {
        for (auto l = static_cast<std::uint32_t>(block(p).end); l-- > block(p).begin;) {
          builder_.pass(id('b', b), l, p, d, true);
          for (std::uint32_t m = 0; m < pattern_.mp && last; ++m)
            gradients_[l][m].push_back(*builder_.last[builder_.index({m, p, d})]);
        }
        // The gradient of this stage's input is as large as the output of the layer before.
        if (p > 0) hand_over('b', b, static_cast<std::uint32_t>(block(p).begin - 1), p, p - 1, d);
      }
    }
  }

  void add_up_gradients() {
    for (std::uint32_t p = pattern_.pp; p-- > 0;) {
      for (std::uint32_t m = 0; m < pattern_.mp; ++m) {
        auto end = static_cast<std::uint32_t>(block(p).end);
        std::uint64_t bytes = 0;
        for (std::uint32_t l = end; l-- > block(p).begin;) {
          bytes += fp16_bytes(builder_.layers()[l].parameters / pattern_.mp);
          if (bytes < pattern_.bucket && l > block(p).begin) continue;
          if (bytes > 0) add_up(p, m, l, end, bytes);
          end = l;
          bytes = 0;
        }
      }
    }
  }

  /// The gradients of the layers from `begin` on, ready when the first of them, the last in the backward
  /// pass, is through.
  void add_up(std::uint32_t p, std::uint32_t m, std::uint32_t begin, std::uint32_t end, std::uint64_t bytes) {
    if (pattern_.dp == 1) return;
    Operations all_through;
    for (std::uint32_t d = 0; d < pattern_.dp; ++d)
      all_through.push_back(*builder_.last[builder_.index({m, p, d})]);
    hw::Operation sum;
    sum.id = fmt::format("{}dp.{}.{}", iteration_, begin, m);
    sum.type = pattern_.zero2 ? hw::OperationType::reduce_scatter : hw::OperationType::all_reduce;
    sum.npus = builder_.dp_group(m, p);
    sum.bytes = bytes;
    sum.after = pattern_.overlap ? gradients_[begin][m] : all_through;
    hw::OperationId ended = builder_.add(std::move(sum));
    if (pattern_.zero2) {
      hw::Operation gather;
      gather.id = fmt::format("{}ag.{}.{}", iteration_, begin, m);
      gather.type = hw::OperationType::all_gather;
      gather.npus = builder_.dp_group(m, p);
      gather.bytes = 2 * ((bytes / 2 + pattern_.dp - 1) / pattern_.dp);
      gather.after = all_through;
      gather.after.push_back(ended);
      ended = builder_.add(std::move(gather));
    }
    for (std::uint32_t l = begin; l < end; ++l) updated(l, m) = {ended};
  }

  TrainingBuilder& builder_;
  const TrainingPattern& pattern_;
  std::uint32_t iteration_ = 0;
  std::vector<Operations> updated_;                 ///< by layer and m: what brings the weights up to date
  std::vector<std::vector<Operations>> gradients_;  ///< by layer, by m: the computes they come from
  Operations first_computes_;                       ///< of the iteration, by worker
};

}  // namespace

void add_stationary(TrainingBuilder& builder) {
  Stationary(builder).run();
}

}  // namespace fredsim::trace
