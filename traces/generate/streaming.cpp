#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "traces/generate/training_builder.h"

namespace fredsim::trace {
namespace {

class Streaming {
 public:
  explicit Streaming(TrainingBuilder& builder)
      : builder_(builder),
        pattern_(builder.pattern()),
        layers_(static_cast<std::uint32_t>(builder.layers().size())),
        in_use_(builder.workers()),
        inbox_(pattern_.microbatches, std::vector<Operations>(builder.workers())),
        stored_(std::size_t{pattern_.mp} * layers_) {}

  void run() {
    Operations input = builder_.load_input("0", {});
    for (iteration_ = 0; iteration_ < pattern_.iterations; ++iteration_) {
      builder_.use_input(input);
      for (std::uint32_t first = 0; first < layers_; first += pattern_.pp) {
        const std::uint32_t end = std::min(layers_, first + pattern_.pp);
        for (std::uint32_t l = first; l < end; ++l) load('f', l);
        for (std::uint32_t b = 0; b < pattern_.microbatches; ++b) {
          for (std::uint32_t l = first; l < end; ++l) {
            pass('f', b, l);
            if (l + 1 < layers_) hand_over('f', b, l, l, l + 1);
          }
        }
      }
      if (iteration_ + 1 < pattern_.iterations) {
        Operations after;
        for (const auto& last : builder_.last) after.push_back(*last);
        input = builder_.load_input(std::to_string(iteration_ + 1), after);
      }
      const std::uint32_t groups = (layers_ + pattern_.pp - 1) / pattern_.pp;
      for (std::uint32_t g = groups; g-- > 0;) {
        const std::uint32_t first = g * pattern_.pp;
        const std::uint32_t end = std::min(layers_, first + pattern_.pp);
        for (std::uint32_t l = end; l-- > first;) load('b', l);
        for (std::uint32_t b = 0; b < pattern_.microbatches; ++b) {
          for (std::uint32_t l = end; l-- > first;) {
            pass('b', b, l);
            if (l > 0) hand_over('b', b, l - 1, l, l - 1);
          }
        }
        for (std::uint32_t l = end; l-- > first;) store(l);
      }
    }
  }

 private:
  std::string id(char direction, std::uint32_t b) const {
    return fmt::format("{}{}{}", iteration_, direction, b);
  }
  std::uint32_t stage(std::uint32_t layer) const { return layer % pattern_.pp; }
  std::uint64_t bytes(std::uint32_t layer) const {
    return fp16_bytes(builder_.layers()[layer].parameters / pattern_.mp);
  }

  /// There is room for two layers: what is loaded takes the place of the one before the last.
  void load(char direction, std::uint32_t layer) {
    const std::uint32_t p = stage(layer);
    for (std::uint32_t m = 0; m < pattern_.mp; ++m) {
      hw::Operation weights;
      weights.id = fmt::format("{}{}.load{}.{}", iteration_, direction, layer, m);
      weights.type = hw::OperationType::load;
      weights.mode = "broadcast";
      weights.npus = builder_.dp_group(m, p);
      weights.bytes = bytes(layer);
      for (std::uint32_t d = 0; d < pattern_.dp; ++d) {
        Places& places = in_use_[builder_.index({m, p, d})];
        if (places.before_last) weights.after.push_back(*places.before_last);
      }
      // The weights of this iteration are those that the gradients of the last have changed.
      if (direction == 'f' && stored_[layer * pattern_.mp + m])
        weights.after.push_back(*stored_[layer * pattern_.mp + m]);
      const hw::OperationId loaded = builder_.add(std::move(weights));
      for (std::uint32_t d = 0; d < pattern_.dp; ++d) {
        const std::uint32_t w = builder_.index({m, p, d});
        builder_.waits[w].push_back(loaded);
        in_use_[w].before_last = in_use_[w].last;
      }
    }
  }

  void pass(char direction, std::uint32_t b, std::uint32_t layer) {
    const std::uint32_t p = stage(layer);
    for (std::uint32_t d = 0; d < pattern_.dp; ++d) {
      for (std::uint32_t m = 0; m < pattern_.mp; ++m) {
        const std::uint32_t w = builder_.index({m, p, d});
        Operations& waits = builder_.waits[w];
        waits.insert(waits.end(), inbox_[b][w].begin(), inbox_[b][w].end());
        inbox_[b][w].clear();
      }
      builder_.pass(id(direction, b), layer, p, d, direction == 'b');
      for (std::uint32_t m = 0; m < pattern_.mp; ++m) {
        const std::uint32_t w = builder_.index({m, p, d});
        in_use_[w].last = builder_.last[w];
      }
    }
  }

  void hand_over(char direction, std::uint32_t b, std::uint32_t output_of, std::uint32_t from,
                 std::uint32_t to) {
    if (pattern_.pp == 1) return;
    for (std::uint32_t d = 0; d < pattern_.dp; ++d) {
      const hw::OperationId copied =
          builder_.hand_over(id(direction, b), output_of, stage(from), stage(to), d);
      for (std::uint32_t m = 0; m < pattern_.mp; ++m)
        inbox_[b][builder_.index({m, stage(to), d})].push_back(copied);
    }
  }

  void store(std::uint32_t layer) {
    const std::uint32_t p = stage(layer);
    for (std::uint32_t m = 0; m < pattern_.mp; ++m) {
      hw::Operation gradients;
      gradients.id = fmt::format("{}store{}.{}", iteration_, layer, m);
      gradients.type = hw::OperationType::store;
      gradients.mode = "broadcast";
      gradients.npus = builder_.dp_group(m, p);
      gradients.bytes = bytes(layer);
      for (std::uint32_t d = 0; d < pattern_.dp; ++d)
        gradients.after.push_back(*builder_.last[builder_.index({m, p, d})]);
      stored_[layer * pattern_.mp + m] = builder_.add(std::move(gradients));
    }
  }

  struct Places {
    std::optional<hw::OperationId> last;         ///< that used the layer loaded last
    std::optional<hw::OperationId> before_last;  ///< that used the one before
  };

  TrainingBuilder& builder_;
  const TrainingPattern& pattern_;
  std::uint32_t layers_;
  std::uint32_t iteration_ = 0;
  std::vector<Places> in_use_;                  ///< by worker
  std::vector<std::vector<Operations>> inbox_;  ///< by microbatch, by worker: what comes from other stages
  std::vector<std::optional<hw::OperationId>> stored_;  ///< by layer and m
};

}  // namespace

void add_streaming(TrainingBuilder& builder) {
  Streaming(builder).run();
}

}  // namespace fredsim::trace
