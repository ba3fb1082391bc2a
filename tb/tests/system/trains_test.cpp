// Coarse runs, whose packets move in trains, against runs packet by packet.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hw/core/error.h"
#include "tb/tests/system/io_runs.h"
#include "tb/tests/system/trees.h"
#include "traces/generate/training.h"

namespace fredsim::tb::test {
namespace {

std::string mesh_text() {
  return "system: mesh\nmesh:\n  columns: 4\n  rows: 5\n";
}
std::string endpoint(const std::string& fred) {
  return fred + "collective:\n  algorithm: hierarchical-ring\n";
}

/// Rings of several groups share the links up from their switches; the order in which their trains meet there
/// differs from that of packets.
constexpr double accurate = 0.03, shared_rings = 0.15;

struct System {
  const char* name;
  std::string configuration;
  double accuracy = accurate;
};
std::vector<System> systems() {
  return {{"mesh", mesh_text()},
          {"Fred-A", endpoint(fred_b()), shared_rings},
          {"Fred-B", fred_b()},
          {"Fred-C", endpoint(fred_d()), shared_rings},
          {"Fred-D", fred_d()}};
}

nlohmann::json run(const std::string& configuration, const hw::Workload& workload,
                   const std::string& transaction, bool data) {
  Replay replay;
  replay.configuration = configuration;
  replay.workload = workload;
  replay.options.data = data;
  if (!transaction.empty()) replay.sets = {"transaction=" + transaction};
  nlohmann::json result = simulate(replay);
  EXPECT_TRUE(is_right(result)) << result["waiting"].dump(1);
  return result;
}

/// How much longer than packets a coarse run of 256 KiB takes.
double deviation(const std::string& configuration, const hw::Workload& workload) {
  const double packets = run(configuration, workload, "", false)["simulated_ns"];
  const double trains = run(configuration, workload, "256 KiB", false)["simulated_ns"];
  return trains / packets - 1;
}

std::string groups(const std::string& type, std::uint64_t bytes, std::uint32_t size, std::uint32_t stride) {
  std::string lines;
  for (std::uint32_t n = 0; n < 20; ++n) {
    if (n / stride % size != 0) continue;
    std::vector<std::uint32_t> npus;
    for (std::uint32_t i = 0; i < size; ++i) npus.push_back(n + i * stride);
    lines += line(fmt::format("g{}", n), type, npus, fmt::format(R"(,"bytes":{})", bytes));
  }
  return lines;
}

TEST(Trains, TakeAboutAsLongAsPackets) {
  for (const System& system : systems()) {
    for (const auto& [what, lines] :
         {std::pair<std::string, std::string>{"all", groups("all_reduce", 16 << 20, 20, 1)},
          {"pairs", groups("all_reduce", 2 << 20, 2, 1)},
          {"columns", groups("all_reduce", 2 << 20, 5, 4)},
          {"scattered", groups("reduce_scatter", 2 << 20, 5, 4)},
          {"load", line("w", "load", range(20), R"(,"bytes":9000000)")},
          {"store", line("w", "store", range(20), R"(,"bytes":9000000)")},
          {"shards", line("w", "load", range(20), R"(,"bytes":9000000,"mode":"shard")")}}) {
      EXPECT_NEAR(deviation(system.configuration, workload_of(lines, 20)), 0, system.accuracy)
          << system.name << " " << what;
    }
  }
}

TEST(Trains, TakeAboutAsLongAsPacketsInTraining) {
  trace::TrainingPattern pattern;
  pattern.model = {"small", 0, trace::transformer_layers(6, 512, 512, false)};
  pattern.mp = 2;
  pattern.pp = 2;
  pattern.dp = 5;
  pattern.samples = 4;
  pattern.microbatches = 2;
  for (const trace::TrainingMode mode : {trace::TrainingMode::stationary, trace::TrainingMode::streaming}) {
    pattern.mode = mode;
    const hw::Workload workload = trace::generate_training(pattern);
    for (const System& system : systems())
      EXPECT_NEAR(deviation(system.configuration, workload), 0, system.accuracy) << system.name;
  }
}

// The bytes on the links, headers and all, and the data are those of packets.
TEST(Trains, CarryTheSameBytesAndTheRightData) {
  const hw::Workload workload = workload_of(
      groups("all_reduce", 3'000'000, 5, 4) + line("w", "store", range(20), R"(,"bytes":1000003)"), 20);
  for (const System& system : systems()) {
    const nlohmann::json packets = run(system.configuration, workload, "", true);
    const nlohmann::json trains = run(system.configuration, workload, "64 KiB", true);
    EXPECT_EQ(trains["verified_elements"], packets["verified_elements"]);
    for (std::size_t n = 0; n < 20; ++n) {
      const double bytes = packets["npus"][n]["sent_bytes"];
      EXPECT_NEAR(trains["npus"][n]["sent_bytes"], bytes, 1e-3 * bytes) << system.name;
    }
    // Messages of ten packets stay packets; what controllers and switches stream moves in trains.
    EXPECT_LE(trains["packets"]["sent"], packets["packets"]["sent"]);
  }
}

TEST(Trains, AreRefusedWhereSinglePacketsCount) {
  const auto refused = [](const std::vector<std::string>& sets, const std::string& part) {
    Replay replay;
    replay.sets = sets;
    try {
      configuration_of(replay);
      ADD_FAILURE() << part;
    } catch (const hw::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused({"transaction=5000 B"}, "no multiple of packet.bytes");
  refused({"transaction=8 KiB", "reliability=link"}, "damaged and resent one by one");
  refused({"transaction=8 KiB", "pressure.seed=1"}, "one by one");
  refused({"transaction=8 KiB", "buffer.dp=8 KiB"}, "% of the time, which trains of packets do not show");
}

}  // namespace
}  // namespace fredsim::tb::test
