#include "tb/bench/traffic_bench.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <exception>

#include "tb/bench/apart.h"
#include "tb/configuration/configuration.h"
#include "tb/traffic/measure.h"

namespace fredsim::tb::bench {
namespace {

/// 8 x 8 NPUs, uniform: (2 + 5.33) links a packet.
constexpr double links_a_packet = 2 + 2 * 63 / 24.0 * 64 / 63;

Figures run_traffic(double rate, std::uint64_t hops) {
  const Configuration configuration =
      parse_configuration("system: mesh\nmesh:\n  columns: 8\n  rows: 8\n", "8 x 8");
  TrafficOptions options;
  options.rate = rate;
  const double packets = static_cast<double>(hops) / links_a_packet / configuration.npus();
  const double packet_fs =
      static_cast<double>(traffic_link(configuration).time_for(configuration.packet.bytes).fs());
  // The run goes on for a window behind the window.
  options.warm_up = hw::Time();
  options.window = hw::Time::fs(static_cast<std::int64_t>(packets / rate * packet_fs / 2));
  const TrafficResult result = measure_traffic(configuration, options);
  Figures figures;
  figures.run_s = result.processor_s;
  figures.packet_hops = result.packet_hops;
  figures.kernel_events = result.kernel_events;
  return figures;
}

void measure(benchmark::State& state, double rate, std::uint64_t hops) {
  for ([[maybe_unused]] auto _ : state) {
    try {
      const Figures figures = apart([&] { return run_traffic(rate, hops); });
      const auto count = static_cast<double>(figures.packet_hops);
      state.SetIterationTime(figures.run_s);
      state.counters["packet_hops"] = count;
      state.counters["packet_hops_per_s"] = count / figures.run_s;
      state.counters["ns_per_packet_hop"] = figures.run_s * 1e9 / count;
      state.counters["kernel_events_per_packet_hop"] = static_cast<double>(figures.kernel_events) / count;
      state.counters["peak_rss_bytes"] = static_cast<double>(figures.peak_rss_bytes);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
      break;
    }
  }
}

}  // namespace

void register_traffic(const SystemOptions& options) {
  for (const double rate : {0.1, 0.3}) {
    benchmark::RegisterBenchmark(
        fmt::format("mesh_8x8/uniform_{}", rate).c_str(),
        [rate, hops = options.hops](benchmark::State& state) { measure(state, rate, hops); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace fredsim::tb::bench
