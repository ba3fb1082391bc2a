#include "traces/generate/training_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fredsim::trace {

std::uint64_t fp16_bytes(double elements) {
  return 2 * static_cast<std::uint64_t>(std::ceil(elements));
}

TrainingBuilder::TrainingBuilder(const TrainingPattern& pattern)
    : waits(std::size_t{pattern.mp} * pattern.pp * pattern.dp), last(waits.size()), pattern_(pattern) {
  for (const Layer& layer : pattern.model.layers) layers_.insert(layers_.end(), layer.count, layer);
  std::uint32_t npus = workers();
  for (const std::uint32_t n : pattern.placement) npus = std::max(npus, n + 1);
  workload_.npus = npus;
  workload_.source = "generated";
  workload_.name = pattern.name.empty() ? fmt::format("{} MP({})-PP({})-DP({})", pattern.model.name,
                                                      pattern.mp, pattern.pp, pattern.dp)
                                        : pattern.name;
}

hw::NpuId TrainingBuilder::npu(Worker w) const {
  return hw::NpuId(pattern_.placement.empty() ? index(w) : pattern_.placement[index(w)]);
}

hw::Group TrainingBuilder::dp_group(std::uint32_t m, std::uint32_t p) const {
  hw::Group group;
  for (std::uint32_t d = 0; d < pattern_.dp; ++d) group.push_back(npu({m, p, d}));
  return group;
}

hw::OperationId TrainingBuilder::add(hw::Operation operation) {
  Operations& after = operation.after;
  std::sort(after.begin(), after.end());
  after.erase(std::unique(after.begin(), after.end()), after.end());
  workload_.operations.push_back(std::move(operation));
  return hw::OperationId(static_cast<std::uint32_t>(workload_.operations.size() - 1));
}

void TrainingBuilder::pass(const std::string& id, std::uint32_t layer, std::uint32_t p, std::uint32_t d,
                           bool backward) {
  const Layer& l = layers_[layer];
  const double samples = double(pattern_.samples) / pattern_.microbatches;
  const bool reduces = pattern_.mp > 1 && l.all_reduces > 0;
  const std::uint32_t parts = reduces ? l.all_reduces : 1;
  const double passes = !backward ? 1 : l.recompute ? 3 : 2;
  for (std::uint32_t part = 0; part < parts; ++part) {
    hw::Operation sum;
    for (std::uint32_t m = 0; m < pattern_.mp; ++m) {
      const Worker w{m, p, d};
      hw::Operation compute;
      compute.id = fmt::format("{}.{}.{}{}", id, layer, index(w), parts > 1 ? fmt::format(".{}", part) : "");
      compute.type = hw::OperationType::compute;
      compute.npus = {npu(w)};
      compute.flops = std::ceil(passes * l.flops * samples / pattern_.mp / parts / pattern_.efficiency);
      compute.after = std::move(waits[index(w)]);
      const hw::OperationId computed = add(std::move(compute));
      last[index(w)] = computed;
      waits[index(w)] = {computed};
      sum.npus.push_back(npu(w));
      sum.after.push_back(computed);
    }
    if (!reduces) continue;
    sum.id = fmt::format("{}.{}.mp{}_{}.{}", id, layer, p, d, part);
    sum.type = hw::OperationType::all_reduce;
    sum.bytes = fp16_bytes(l.output * samples);
    sum.traffic_class = hw::TrafficClass::mp;
    const hw::OperationId summed = add(std::move(sum));
    for (std::uint32_t m = 0; m < pattern_.mp; ++m) waits[index({m, p, d})] = {summed};
  }
}

hw::OperationId TrainingBuilder::hand_over(const std::string& id, std::uint32_t layer, std::uint32_t from,
                                           std::uint32_t to, std::uint32_t d) {
  hw::Operation copy;
  copy.id = fmt::format("{}.{}.pp{}_{}", id, layer, from, d);
  copy.type = hw::OperationType::broadcast;
  copy.traffic_class = hw::TrafficClass::pp;
  copy.bytes = fp16_bytes(layers_[layer].output * pattern_.samples / pattern_.microbatches);
  copy.root = npu({0, from, d});
  copy.npus = {*copy.root};
  copy.after = waits[index({0, from, d})];
  for (std::uint32_t m = 0; m < pattern_.mp; ++m) copy.npus.push_back(npu({m, to, d}));
  return add(std::move(copy));
}

Operations TrainingBuilder::load_input(const std::string& id, const Operations& after) {
  Operations loaded;
  if (pattern_.model.input_bytes == 0) return loaded;
  for (std::uint32_t m = 0; m < pattern_.mp; ++m) {
    hw::Operation load;
    load.id = fmt::format("{}.input{}", id, m);
    load.type = hw::OperationType::load;
    load.mode = "shard";
    load.npus = dp_group(m, 0);
    load.bytes = pattern_.model.input_bytes * pattern_.samples * pattern_.dp;
    for (std::uint32_t d = 0; d < pattern_.dp && !after.empty(); ++d)
      load.after.push_back(after[index({m, 0, d})]);
    loaded.push_back(add(std::move(load)));
  }
  return loaded;
}

void TrainingBuilder::use_input(const Operations& loaded) {
  for (std::uint32_t m = 0; m < loaded.size(); ++m) {
    for (std::uint32_t d = 0; d < pattern_.dp; ++d) waits[index({m, 0, d})].push_back(loaded[m]);
  }
}

}  // namespace fredsim::trace
