// The buffer law on a whole system: an all-reduce of eight NPUs whose links are held back by the buffers of
// the switch, or by those of the NPUs.
#include <gtest/gtest.h>

#include "tb/configuration/configuration.h"
#include "tb/systems/simulation.h"
#include "tb/tests/link/buffer_law.h"

namespace fredsim::test {
namespace {

struct Case {
  const char* name;
  const char* key;  ///< of the buffers that hold back
  std::uint64_t packets;
};

class SystemBufferLaw : public testing::TestWithParam<Case> {};

TEST_P(SystemBufferLaw, HoldsForAnAllReduce) {
  const std::uint64_t bytes = 4 << 20;
  hw::Workload workload;
  workload.npus = 8;
  hw::Operation operation;
  operation.id = "ar";
  operation.type = hw::OperationType::all_reduce;
  for (std::uint32_t n = 0; n < 8; ++n) operation.npus.emplace_back(n);
  operation.bytes = bytes;
  workload.operations.push_back(operation);

  const std::string set = std::string(GetParam().key) + "=" + std::to_string(4 * GetParam().packets) + " KiB";
  const auto configuration =
      tb::parse_configuration("system: switch\n", "test.yaml", {"buffer.dp=unlimited", set});
  tb::SimulationOptions options;
  options.monitors = true;
  tb::Simulation simulation(configuration, std::move(workload), options);
  const tb::Result& result = simulation.run();
  ASSERT_EQ(result.status, tb::Status::ok);

  // 2045 FP16 elements a packet; the last packet's own way is no matter of throughput.
  const double packets = static_cast<double>((bytes / 2 + 2044) / 2045);
  const hw::Time took = result.operations.at(0).end - result.operations.at(0).start;
  const double share = packets * 4096 / 3e12 / took.seconds();
  const double expected = buffer_law(GetParam().packets, 4096, 3e12, 3.3e-9);
  EXPECT_NEAR(share / expected, 1.0, 0.03) << share << " of the link, expected " << expected;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (std::uint64_t n = 1; n <= 8; ++n) all.push_back({"switch_buffers", "buffer.l1.down.dp", n});
  for (std::uint64_t n = 1; n <= 8; ++n) all.push_back({"npu_buffers", "buffer.npu.dp", n});
  return all;
}

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.key << " of " << c.packets;
}

INSTANTIATE_TEST_SUITE_P(Buffer, SystemBufferLaw, testing::ValuesIn(cases()), [](const auto& of) {
  return std::string(of.param.name) + "_" + std::to_string(of.param.packets);
});

}  // namespace
}  // namespace fredsim::test
