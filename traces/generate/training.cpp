#include "traces/generate/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "hw/core/error.h"
#include "traces/format/check.h"
#include "traces/generate/training_builder.h"

namespace fredsim::trace {
namespace {

constexpr double optimizer_bytes = 12;  // FP32 weight, momentum and variance of Adam

void check_pattern(const TrainingPattern& pattern) {
  const auto refuse = [](std::string what) { throw hw::InputError(std::move(what)); };
  const std::uint64_t mp_pp = std::uint64_t{pattern.mp} * pattern.pp;
  if (pattern.mp < 1 || pattern.pp < 1 || pattern.dp < 1 || mp_pp > max_npus ||
      mp_pp * pattern.dp > max_npus) {
    refuse(fmt::format("MP({})-PP({})-DP({}): each must be at least 1, and all together at most {} NPUs",
                       pattern.mp, pattern.pp, pattern.dp, max_npus));
  }
  std::uint64_t layers = 0;
  for (const Layer& layer : pattern.model.layers) layers += layer.count;
  if (layers < pattern.pp) {
    refuse(fmt::format("a pipeline of {} stages needs as many layers or more, and {} has {}", pattern.pp,
                       pattern.model.name, layers));
  }
  if (pattern.samples < 1 || pattern.microbatches < 1 || pattern.samples % pattern.microbatches != 0) {
    refuse(fmt::format("{} samples of a replica cannot be cut into {} microbatches: they must divide evenly",
                       pattern.samples, pattern.microbatches));
  }
  if (pattern.iterations < 1) refuse("a training has one iteration or more");
  if (!(pattern.efficiency > 0) || pattern.efficiency > 1)
    refuse(fmt::format("an efficiency of {} is not above 0 and up to 1", pattern.efficiency));
  if (pattern.mode == TrainingMode::streaming && (pattern.zero2 || pattern.bucket > 0 || !pattern.overlap)) {
    refuse(
        "with weight streaming gradients go to the I/O controllers layer by layer, so that ZeRO, buckets and "
        "their place behind the backward pass belong to mode stationary");
  }
  const std::uint64_t workers = mp_pp * pattern.dp;
  if (pattern.placement.empty()) return;
  const std::set<std::uint32_t> distinct(pattern.placement.begin(), pattern.placement.end());
  if (pattern.placement.size() != workers || distinct.size() != workers) {
    refuse(
        fmt::format("a placement of MP({})-PP({})-DP({}) lists {} different NPUs, this {} of which {} differ",
                    pattern.mp, pattern.pp, pattern.dp, workers, pattern.placement.size(), distinct.size()));
  }
  if (*distinct.rbegin() >= max_npus)
    refuse(fmt::format("a placement names NPU {}; there are at most {}", *distinct.rbegin(), max_npus));
}

}  // namespace

std::vector<Layer> transformer_layers(std::uint32_t layers, double hidden, double sequence, bool recompute) {
  Layer layer;
  layer.name = "transformer";
  layer.count = layers;
  layer.parameters = 12 * hidden * hidden;
  layer.flops = 24 * sequence * hidden * hidden + 4 * sequence * sequence * hidden;
  layer.output = sequence * hidden;
  layer.activations = (recompute ? 1 : 17) * sequence * hidden;
  layer.all_reduces = 2;
  layer.recompute = recompute;
  return {layer};
}

hw::MemoryNeed memory_of(const TrainingPattern& pattern) {
  check_pattern(pattern);
  std::vector<Layer> layers;
  for (const Layer& layer : pattern.model.layers) layers.insert(layers.end(), layer.count, layer);
  const bool streaming = pattern.mode == TrainingMode::streaming;
  hw::MemoryNeed most;
  for (std::uint32_t p = 0; p < pattern.pp; ++p) {
    const hw::Range block = hw::shard(layers.size(), pattern.pp, p);
    double weights = 0, largest = 0, activations = 0;
    for (std::uint32_t l = 0; l < layers.size(); ++l) {
      if (streaming ? l % pattern.pp != p : l < block.begin || l >= block.end) continue;
      weights += layers[l].parameters / pattern.mp;
      largest = std::max(largest, layers[l].parameters / pattern.mp);
      activations += layers[l].activations * pattern.samples;
    }
    const double shards = pattern.zero2 ? pattern.dp : 1;
    hw::MemoryNeed need;
    need.weights = fp16_bytes(streaming ? 2 * largest : weights);
    need.gradients = fp16_bytes(streaming ? largest : weights / shards);
    if (!streaming)
      need.optimizer = static_cast<std::uint64_t>(std::ceil(optimizer_bytes * weights / shards));
    need.activations = fp16_bytes(activations);
    if (need.total() > most.total()) most = need;
  }
  return most;
}

hw::Workload generate_training(const TrainingPattern& pattern) {
  const hw::MemoryNeed memory = memory_of(pattern);
  TrainingBuilder builder(pattern);
  if (pattern.mode == TrainingMode::streaming) {
    add_streaming(builder);
  } else {
    add_stationary(builder);
  }
  hw::Workload workload = builder.take();
  workload.memory = memory;
  refuse(check(workload));
  return workload;
}

}  // namespace fredsim::trace
