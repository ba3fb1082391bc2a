#include "tb/bench/system_bench.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "tb/bench/allocations.h"
#include "tb/bench/apart.h"
#include "tb/bench/bare_hop.h"
#include "tb/configuration/configuration.h"
#include "tb/systems/simulation.h"
#include "traces/generate/generate.h"

namespace fredsim::tb::bench {
namespace {

constexpr const char* systems[] = {"single_switch", "fred_b", "fred_d", "tree_1024", "mesh"};

constexpr std::uint64_t bare_links = 16;  // of the single switch

enum class Mode : std::uint8_t { timing, data, waveform, monitors };
constexpr std::pair<Mode, const char*> modes[] = {{Mode::timing, "timing"},
                                                  {Mode::data, "data"},
                                                  {Mode::waveform, "waveform"},
                                                  {Mode::monitors, "monitors"}};

/// A path for a waveform that nobody looks at.
std::string scratch_waveform() {
  return (std::filesystem::temp_directory_path() / fmt::format("fredsim-bench-{}.vcd", getpid())).string();
}

hw::Workload all_reduce(const Configuration& configuration, std::uint64_t packets) {
  trace::CollectivePattern pattern;
  pattern.npus = configuration.npus();
  pattern.bytes = {packets * configuration.packet.payload()};
  return trace::generate_collective(pattern);
}

/// One all-reduce of `packets` packets a member. To be called in a process of its own.
Figures run_system(const std::string& path, Mode mode, std::uint64_t packets) {
  const Configuration configuration = load_configuration(path);
  SimulationOptions options;
  options.data = mode == Mode::data;
  options.monitors = mode == Mode::monitors;
  if (mode == Mode::waveform) options.waveform.emplace().path = scratch_waveform();

  Figures figures;
  const double begin = processor_seconds();
  Simulation simulation(configuration, all_reduce(configuration, packets), options);
  const double elaborated = processor_seconds();
  const std::uint64_t before = allocations();
  const Result& result = simulation.run();
  figures.allocations = allocations() - before;
  figures.run_s = processor_seconds() - elaborated;
  figures.elaboration_s = elaborated - begin;
  figures.links = simulation.system().wires().size();
  figures.packet_hops = result.performance.packet_hops;
  figures.kernel_events = result.performance.kernel_events;
  if (mode == Mode::waveform) {
    std::filesystem::path file = options.waveform->path;
    std::filesystem::remove(file);
    std::filesystem::remove(file.replace_extension("gtkw"));
  }
  if (result.status != Status::ok) throw std::runtime_error("the all-reduce was not done or not right");
  return figures;
}

double nanoseconds_a_hop(const Figures& figures) {
  return figures.run_s * 1e9 / static_cast<double>(figures.packet_hops);
}

double per_hop(std::uint64_t amount, std::uint64_t hops) {
  return hops == 0 ? 0 : static_cast<double>(amount) / static_cast<double>(hops);
}

void measure_system(benchmark::State& state, const std::string& path, Mode mode, std::uint64_t hops) {
  const auto run = [&](std::uint64_t packets) {
    return apart([&] { return run_system(path, mode, packets); });
  };
  for ([[maybe_unused]] auto _ : state) {
    try {
      constexpr std::uint64_t few = 20;
      const Figures first = run(few);
      const std::uint64_t packets = std::max(2 * few, few * hops / first.packet_hops);
      const Figures half = run(packets / 2);
      // Just before, so that both find the machine in the same state.
      const Figures bare = apart([&] { return run_bare_hops(first.links, hops); });
      const Figures full = run(packets);
      state.SetIterationTime(full.run_s);
      state.counters["packet_hops"] = static_cast<double>(full.packet_hops);
      state.counters["packet_hops_per_s"] = 1e9 / nanoseconds_a_hop(full);
      state.counters["ns_per_packet_hop"] = nanoseconds_a_hop(full);
      state.counters["bare_hop_ns"] = nanoseconds_a_hop(bare);
      state.counters["bare_hops_per_packet_hop"] = nanoseconds_a_hop(full) / nanoseconds_a_hop(bare);
      state.counters["kernel_events_per_packet_hop"] = per_hop(full.kernel_events, full.packet_hops);
      // Of the longer run's second half, so without warming up. A run's allocations do not always grow.
      const std::uint64_t more = std::max(full.allocations, half.allocations) - half.allocations;
      state.counters["allocations_per_packet_hop"] = per_hop(more, full.packet_hops - half.packet_hops);
      state.counters["peak_rss_bytes"] = static_cast<double>(full.peak_rss_bytes);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
      break;
    }
  }
}

void measure_elaboration(benchmark::State& state, const std::string& path) {
  for ([[maybe_unused]] auto _ : state) {
    try {
      const Figures figures = apart([&] { return run_system(path, Mode::timing, 1); });
      state.SetIterationTime(figures.elaboration_s);
      state.counters["peak_rss_bytes"] = static_cast<double>(figures.peak_rss_bytes);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
      break;
    }
  }
}

void measure_bare_hop(benchmark::State& state, std::uint64_t hops) {
  for ([[maybe_unused]] auto _ : state) {
    const Figures figures = apart([&] { return run_bare_hops(bare_links, hops); });
    state.SetIterationTime(figures.run_s);
    state.counters["packet_hops"] = static_cast<double>(figures.packet_hops);
    state.counters["packet_hops_per_s"] = 1e9 / nanoseconds_a_hop(figures);
    state.counters["ns_per_packet_hop"] = nanoseconds_a_hop(figures);
    state.counters["kernel_events_per_packet_hop"] = per_hop(figures.kernel_events, figures.packet_hops);
  }
}

}  // namespace

void register_bare_hop(const SystemOptions& options) {
  benchmark::RegisterBenchmark(
      "bare_hop", [hops = options.hops](benchmark::State& state) { measure_bare_hop(state, hops); })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

void register_systems(const SystemOptions& options) {
  for (const std::string system : systems) {
    const std::string path = options.configs + "/" + system + ".yaml";
    if (!std::filesystem::exists(path)) {
      fmt::print(stderr, "fredsim-bench: {} is left out: there is no {}\n", system, path);
      continue;
    }
    for (const auto& [mode, name] : modes) {
      benchmark::RegisterBenchmark((system + "/" + name).c_str(),
                                   [path, mode = mode, hops = options.hops](benchmark::State& state) {
                                     measure_system(state, path, mode, hops);
                                   })
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark((system + "/elaboration").c_str(),
                                 [path](benchmark::State& state) { measure_elaboration(state, path); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace fredsim::tb::bench
