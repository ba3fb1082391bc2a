#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/core/records.h"

namespace fredsim::trace {

/// A layer of a model, or several alike in a row. Numbers of elements and of FLOP are for one sample where
/// they depend on it.
struct Layer {
  std::string name;
  std::uint32_t count = 1;
  double parameters = 0;          ///< weights
  double flops = 0;               ///< of the forward pass; the backward pass takes twice as many
  double output = 0;              ///< elements that go on to the next layer
  double activations = 0;         ///< elements kept for the backward pass
  std::uint32_t all_reduces = 0;  ///< of the output among MP peers, in forward and again in backward
  bool recompute = false;         ///< the backward pass runs the forward pass once more
};

struct Model {
  std::string name;
  std::uint64_t input_bytes = 0;  ///< of a sample
  std::vector<Layer> layers;
};

/// `layers` transformer layers (Vaswani et al. 2017): 12 h^2 weights; for s tokens 24 s h^2 + 4 s^2 h FLOP
/// and an output of s h elements, which MP peers add up twice, behind attention and behind the MLP (Shoeybi
/// et al. 2019). Kept are the s h inputs alone with `recompute`, else 17 s h elements (Korthikanti et al.
/// 2022, attention scores apart).
std::vector<Layer> transformer_layers(std::uint32_t layers, double hidden, double sequence, bool recompute);

enum class TrainingMode : std::uint8_t {
  stationary,  ///< weights stay on the NPUs
  streaming,   ///< weights come from the I/O controllers layer by layer, and gradients go back there
};

struct TrainingPattern {
  Model model;
  std::uint32_t mp = 1, pp = 1, dp = 1;
  std::uint32_t microbatches = 1;
  std::uint32_t samples = 16;  ///< of an iteration, for each of the DP replicas; FRED sec. 7.3
  std::uint32_t iterations = 2;
  TrainingMode mode = TrainingMode::stationary;
  bool zero2 =
      false;  ///< gradients and optimizer state are sharded over the DP peers (Rajbhandari et al. 2020)
  bool overlap = true;  ///< gradients go as soon as their layer is through the backward pass; else behind it
  std::uint64_t bucket = 0;  ///< bytes: gradients of layers are sent together up to about so many
  double efficiency = 0.5;   ///< part of npu.flops that an NPU gets done
  /// By worker m + MP (p + PP d): its NPU; empty: worker w is on NPU w.
  std::vector<std::uint32_t> placement;
  std::string name;  ///< of the workload; empty: made from the pattern
};

/// What the busiest NPU keeps: FP16 weights and gradients, 12 bytes of optimizer state for each weight, and
/// the activations of all microbatches; with streaming two layers' weights, one's gradients and no optimizer
/// state.
hw::MemoryNeed memory_of(const TrainingPattern& pattern);

/// Iterations of training by synchronous SGD, FP16. Microbatches run forward one behind the other, and then
/// backward (Huang et al. 2019). Of MP peers, who all have the same output, one multicasts it to the next
/// stage (FRED sec. 7.2).
///
/// Stationary: stage p has the p-th part of the layers. DP peers add up gradients by all-reduces, or with
/// ZeRO-2 by reduce-scatters and, behind the backward pass, all-gathers of the weights.
/// Streaming: stage p has every PP-th layer; the weights of a layer are loaded, in forward and in backward,
/// while the layer before last of the stage computes, and its gradients are stored.
///
/// Throws hw::InputError for patterns that make no trace.
hw::Workload generate_training(const TrainingPattern& pattern);

}  // namespace fredsim::trace
