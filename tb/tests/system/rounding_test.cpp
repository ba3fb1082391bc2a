// Sums that round have the same bits whatever the timing: the order of adding is the wiring's, not that of
// arrival.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "hw/core/reduce.h"
#include "tb/tests/cli/program.h"
#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

/// Keeps all that is delivered, by operation, NPU and place in the result buffer.
class Collector : public tlm::tlm_analysis_if<accel::Delivery> {
 public:
  using Place = std::tuple<std::uint32_t, std::uint32_t>;

  void write(const accel::Delivery& delivery) override {
    std::string& buffer = buffers[{delivery.operation.value, delivery.npu.value}];
    const std::size_t end = delivery.first_byte + delivery.bytes;
    if (buffer.size() < end) buffer.resize(end);
    std::copy_n(reinterpret_cast<const char*>(delivery.data), delivery.bytes,
                buffer.data() + delivery.first_byte);
  }

  std::map<Place, std::string> buffers;
};

/// All delivered data of one verified run, one buffer after the other, and the simulated time.
struct Delivered {
  std::string data;
  double ns = 0;
};

Delivered deliver(const Replay& replay) {
  const Configuration configuration = configuration_of(replay);
  const std::string text = apart([&] {
    Simulation simulation(configuration, replay.workload, replay.options);
    Collector collector;
    for (const auto& npu : simulation.system().npus()) npu->delivered.bind(collector);
    const Result& result = simulation.run();
    EXPECT_EQ(to_string(result.status), "ok");
    std::string data = fmt::format("{:20.6f}", result.simulated.ns());
    for (const auto& [place, buffer] : collector.buffers) data += buffer;
    return data;
  });
  return {text.substr(20), std::stod(text.substr(0, 20))};
}

/// Computes come first at every NPU, to move the start of what follows.
hw::Workload shaken(const std::string& dtype, Random& random) {
  std::string lines;
  for (int n = 0; n < 8; ++n) {
    lines += fmt::format("{{\"id\":\"c{0}\",\"type\":\"compute\",\"npus\":[{0}],\"ns\":{1}}}\n", n,
                         random.below(200));
  }
  const auto add = [&](const char* id, const char* type, const char* npus, int bytes, const char* more) {
    lines += fmt::format(
        "{{\"id\":\"{}\",\"type\":\"{}\",\"npus\":[{}],\"bytes\":{},\"dtype\":\"{}\"{},\"after\":[", id, type,
        npus, bytes, dtype, more);
    const char* separator = "";
    for (const char* c = npus; *c; ++c) {
      if (*c == ',') continue;
      lines += fmt::format("{}\"c{}\"", separator, *c);
      separator = ",";
    }
    lines += "]}\n";
  };
  add("all", "all_reduce", "7,2,0,1,3,6,5,4", 50000, "");
  add("five", "all_reduce", "0,2,3,5,7", 20000, ",\"class\":\"mp\"");
  add("rooted", "reduce", "1,4,6", 30000, ",\"root\":4,\"class\":\"pp\"");
  add("scattered", "reduce_scatter", "6,5,4,3,2,1", 40004, "");
  add("pairs", "all_reduce", "0,7", 9000, ",\"class\":\"mp\"");
  return workload_of(lines);
}

std::vector<std::string> shaken_sets(Random& random) {
  const std::vector<std::string> buffers = {"4 KiB", "5 KiB", "8 KiB", "24 KiB", "100 KiB", "unlimited"};
  return {"data.pattern=rounding",
          fmt::format("link.latency={} ps", random.below(40000)),
          fmt::format("switch.hop_latency={} ps", random.below(2000)),
          fmt::format("switch.reconfiguration={} ps", random.below(30000)),
          fmt::format("switch.staging={}", 1 + random.below(6)),
          fmt::format("switch.preemption={}", random.of<std::string>({"true", "false"})),
          fmt::format("switch.middle={}", 2 + random.below(3)),
          fmt::format("switch.abstraction={}", random.of<std::string>({"switch", "microswitch"})),
          fmt::format("link.npu_bandwidth={} GB/s", 200 + random.below(4000)),
          "buffer.dp=" + random.of(buffers),
          "buffer.mp=" + random.of(buffers),
          "buffer.pp=" + random.of(buffers),
          "buffer.npu.dp=" + random.of(buffers)};
}

class RoundedSums : public testing::TestWithParam<const char*> {};

TEST_P(RoundedSums, HaveTheSameBitsWhateverTheTiming) {
  const std::uint64_t seed = test_seed(11);
  Random unshaken(seed);
  Replay replay;
  replay.sets = {"data.pattern=rounding"};
  replay.workload = shaken(GetParam(), unshaken);
  const Delivered first = deliver(replay);
  ASSERT_GT(first.data.size(), 500000u);
  int other_times = 0;
  for (std::uint64_t i = 1; i <= 15; ++i) {
    Random random(seed + 1000 * i);
    replay.workload = shaken(GetParam(), random);
    replay.sets = shaken_sets(random);
    SCOPED_TRACE(fmt::format("run {} of seed {}: {}", i, seed, fmt::join(replay.sets, ", ")));
    const Delivered again = deliver(replay);
    ASSERT_EQ(again.data.size(), first.data.size());
    ASSERT_TRUE(again.data == first.data);
    other_times += again.ns != first.ns;
  }
  EXPECT_EQ(other_times, 15);
}

// The test above would see nothing if the data did not round: added in the order of ports, many sums differ.
TEST_P(RoundedSums, WouldShowAnotherOrder) {
  const hw::DType dtype = *hw::parse_dtype(GetParam());
  const auto count = static_cast<std::uint32_t>(40000 / hw::size_of(dtype));
  Replay replay;
  replay.sets = {"data.pattern=rounding"};
  replay.workload = workload_of(fmt::format(
      R"({{"id":"a","type":"reduce","npus":[0,1,2,3,4,5,6,7],"root":0,"bytes":40000,"dtype":"{}"}})",
      GetParam()));
  const Delivered delivered = deliver(replay);
  hw::DataPattern pattern(hw::PatternKind::rounding, 1, count);
  const auto operand = [&](std::uint32_t npu) {
    const auto* data = reinterpret_cast<const char*>(
        pattern.elements(hw::OperationId{0}, hw::NpuId{npu}, dtype, 8, 0, count));
    return std::string(data, 40000);
  };
  const auto plus = [&](std::string a, const std::string& b) {
    hw::reduce(dtype, hw::ReduceOp::sum, a.data(), b.data(), a.data(), count);
    return a;
  };
  std::vector<std::string> pairs;
  for (std::uint32_t n = 0; n < 8; n += 2) pairs.push_back(plus(operand(n), operand(n + 1)));
  EXPECT_TRUE(delivered.data == plus(plus(pairs[0], pairs[1]), plus(pairs[2], pairs[3])));
  std::string in_port_order = operand(0);
  for (std::uint32_t n = 1; n < 8; ++n) in_port_order = plus(in_port_order, operand(n));
  std::size_t different = 0;
  for (std::size_t i = 0; i < delivered.data.size(); ++i) different += delivered.data[i] != in_port_order[i];
  EXPECT_GT(different, count / 20);
}

INSTANTIATE_TEST_SUITE_P(DTypes, RoundedSums, testing::Values("fp16", "bf16", "fp32"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace fredsim::tb::test
