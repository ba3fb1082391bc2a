#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hw/core/records.h"
#include "tb/systems/simulation.h"

namespace fredsim::tb::test {

/// Carries out `work` in a process of its own, since a process can hold one simulation, and returns what it
/// returns. Throws std::runtime_error with the message of what `work` throws, or when it fails an
/// expectation.
std::string apart(const std::function<std::string()>& work);

/// One run, by default with all checks on.
struct Replay {
  std::vector<std::string> sets;  ///< key=value
  hw::Workload workload;
  SimulationOptions options = checked();
  Factories factories = {};
  std::string configuration = {};  ///< YAML; empty: that of `single_switch.yaml`

  static SimulationOptions checked() {
    SimulationOptions options;
    options.monitors = true;
    return options;
  }
};

/// The configuration of a run.
Configuration configuration_of(const Replay& run);
/// The result file of a run apart, without `performance`.
nlohmann::json simulate(const Replay& run);
/// The same without what tells which abstraction was simulated.
nlohmann::json without_abstraction(nlohmann::json result);
/// Of the result: exit 0, every value right.
bool is_right(const nlohmann::json& result);

/// What `operation` waits for at `npu`; empty when the result does not name them.
std::string reason(const nlohmann::json& result, const std::string& operation, std::uint32_t npu);
/// Expects that `part` is in it.
void expect_reason(const nlohmann::json& result, const std::string& operation, std::uint32_t npu,
                   const std::string& part);

/// A line of a trace; `more` is further keys of the operation, each with a comma before it.
std::string line(const std::string& id, const std::string& type, const std::vector<std::uint32_t>& npus,
                 const std::string& more = "");
/// The workload of a trace with these lines, one operation each.
hw::Workload workload_of(const std::string& lines, std::uint32_t npus = 8);

/// The element of `list` whose `key` is `value`. Throws std::out_of_range.
const nlohmann::json& find(const nlohmann::json& list, const std::string& value,
                           const std::string& key = "name");

/// A random number generator whose numbers are the same with every library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// 0 to below - 1.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(next() % bound); }
  template <class T>
  const T& of(const std::vector<T>& values) {
    return values[below(static_cast<std::uint32_t>(values.size()))];
  }
  /// `count` of the numbers 0 to bound - 1, in random order.
  std::vector<std::uint32_t> some(std::uint32_t count, std::uint32_t bound);

 private:
  std::uint64_t state_;
};

/// The seed of a random test: FREDSIM_TEST_SEED if it is set, else `seed`. A failing test tells how to replay
/// it.
std::uint64_t test_seed(std::uint64_t seed);

}  // namespace fredsim::tb::test
