// fredsim-bench: what simulating costs. Google Benchmark gives the table, the JSON and the repetitions.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <systemc>

#include "hw/core/error.h"
#include "switch/route/structure.h"
#include "tb/bench/route_bench.h"
#include "tb/bench/system_bench.h"
#include "tb/bench/traffic_bench.h"

/// libsystemc refers to it; every simulation runs in a process of its own, started from main.
int sc_main(int, char**) {
  return 0;
}

namespace {

constexpr int bad_input = 2;
constexpr int internal_error = 4;

constexpr const char* own_help =
    "fredsim-bench [options] [options of Google Benchmark]\n"
    "\n"
    "  --hops N          packet-hops of a simulation, roughly (2000000)\n"
    "  --configs DIR     folder of the systems' configurations (tb/configs)\n"
    "  --route-ports P   sizes of the switches whose routing is timed, several with commas (8,16,32,64)\n"
    "  --route-sets N    random sets of flows that are routed, of each kind (200)\n"
    "  --seed N          of those sets (1)\n"
    "\n"
    "  --benchmark_filter=REGEX, --benchmark_list_tests, --benchmark_repetitions=N,\n"
    "  --benchmark_format=console|json|csv, --benchmark_out=FILE, --benchmark_out_format=json|console|csv,\n"
    "  --benchmark_counters_tabular=true, and others: docs/performance.md says what is measured.\n";

void print_help() {
  std::fputs(own_help, stdout);
}

int run(int argc, char** argv) {
  fredsim::tb::bench::SystemOptions systems{FREDSIM_CONFIGS, 2'000'000};
  fredsim::tb::bench::RouteOptions routing{{8, 16, 32, 64}, 200, 1};

  benchmark::Initialize(&argc, argv, print_help);
  CLI::App app("What simulating costs", "fredsim-bench");
  app.add_option("--hops", systems.hops)
      ->check(CLI::Range(std::uint64_t{1000}, std::uint64_t{100'000'000'000}));
  app.add_option("--configs", systems.configs)->check(CLI::ExistingDirectory);
  app.add_option("--route-ports", routing.ports)
      ->delimiter(',')
      ->check(CLI::Range(fredsim::sw::min_ports, fredsim::sw::max_ports));
  app.add_option("--route-sets", routing.sets)->check(CLI::Range(1u, 1'000'000u));
  app.add_option("--seed", routing.seed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "fredsim-bench: error: {}\n", error.what());
    return bad_input;
  }
  register_bare_hop(systems);
  register_systems(systems);
  register_traffic(systems);
  register_routing(routing);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const fredsim::hw::InputError& error) {
    fmt::print(stderr, "fredsim-bench: error: {}\n", error.what());
    return bad_input;
  } catch (const std::exception& error) {
    fmt::print(stderr, "fredsim-bench: error: {}\n", error.what());
    return internal_error;
  }
}
