// What crosses every link, against formulas of the collectives (FRED table 2) that know nothing of plans:
// data with its headers, and nothing else.
#include <gtest/gtest.h>

#include "tb/tests/cli/program.h"
#include "tb/tests/system/closed_form.h"
#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

using hw::OperationType;

/// Ranks are not in the order of ports.
const std::vector<std::vector<std::uint32_t>> groups = {
    {3}, {6, 1}, {0, 1}, {5, 7, 2}, {4, 0, 2, 6}, {1, 3, 4, 6, 7}, {7, 6, 5, 4, 3, 2, 1, 0}};
const std::vector<std::uint64_t> sizes = {0, 1, 2, 7, 19, 4090, 4091, 100003};

class LinkBytes : public testing::TestWithParam<OperationType> {};

TEST_P(LinkBytes, EqualTheClosedForm) {
  Random random(test_seed(1));
  for (const auto& group : groups) {
    for (const std::uint64_t bytes : sizes) {
      hw::Operation operation;
      operation.id = "a";
      operation.type = GetParam();
      for (const std::uint32_t npu : group) operation.npus.push_back(hw::NpuId{npu});
      operation.bytes = GetParam() == OperationType::barrier ? 0 : bytes;
      operation.dtype = random.of<hw::DType>({hw::DType::fp16, hw::DType::fp32});
      operation.root = random.of(operation.npus);
      operation.traffic_class =
          random.of<hw::TrafficClass>({hw::TrafficClass::mp, hw::TrafficClass::pp, hw::TrafficClass::dp});
      Replay run;
      run.workload.npus = 8;
      run.workload.operations = {operation};
      SCOPED_TRACE(testing::Message()
                   << "group of " << group.size() << ", bytes " << operation.bytes << ", root "
                   << operation.root->value << ", " << to_string(*operation.dtype));
      const nlohmann::json result = simulate(run);
      EXPECT_TRUE(is_right(result));
      expect_traffic(run.workload, result);
      if (HasFailure() || GetParam() == OperationType::barrier) break;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Collectives, LinkBytes,
                         testing::Values(OperationType::all_reduce, OperationType::reduce,
                                         OperationType::broadcast, OperationType::reduce_scatter,
                                         OperationType::all_gather, OperationType::scatter,
                                         OperationType::gather, OperationType::all_to_all,
                                         OperationType::barrier),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(LinkBytesOf, SendAndReceive) {
  for (const std::uint64_t bytes : sizes) {
    SCOPED_TRACE(bytes);
    Replay run;
    run.workload =
        workload_of("{\"id\":\"s\",\"type\":\"send\",\"npus\":[2],\"bytes\":" + std::to_string(bytes) +
                    ",\"to\":5,\"class\":\"pp\"}\n"
                    "{\"id\":\"r\",\"type\":\"recv\",\"npus\":[5],\"bytes\":" +
                    std::to_string(bytes) + ",\"from\":2,\"class\":\"pp\"}");
    const nlohmann::json result = simulate(run);
    EXPECT_TRUE(is_right(result));
    const Crossing crossing = stream(bytes, 1);
    for (std::uint32_t n = 0; n < 8; ++n) {
      expect_link(result, "npu" + std::to_string(n) + "_to_switch", n == 2 ? crossing : Crossing{});
      expect_link(result, "switch_to_npu" + std::to_string(n), n == 5 ? crossing : Crossing{});
    }
  }
}

TEST(LinkBytesOf, SeveralOperationsAddUp) {
  Replay run;
  run.workload = workload_of(
      R"({"id":"a","type":"all_reduce","npus":[0,1,2],"bytes":50001,"class":"mp"}
         {"id":"b","type":"all_gather","npus":[7,3],"bytes":8191,"class":"pp"}
         {"id":"c","type":"barrier","npus":[0,3,5]}
         {"id":"d","type":"all_to_all","npus":[6,5,4,3,2],"bytes":77777,"after":["c"]}
         {"id":"e","type":"reduce_scatter","npus":[0,7,6],"bytes":4099,"dtype":"fp32"})");
  const nlohmann::json result = simulate(run);
  EXPECT_TRUE(is_right(result));
  expect_traffic(run.workload, result);
}

// The first thing the README shows.
TEST(AllReduceOf64MiB, IsRightAtTheRateOfTheLinks) {
  const Folder folder;
  const Outcome outcome = fredsim({"run", single_switch(), "--trace", sample("all_reduce_8npus_64MiB"),
                                   "--json", folder / "r.json", "--vcd", folder / "w.vcd", "--monitors"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  EXPECT_NE(outcome.out.find("all right"), std::string::npos) << outcome.out;
  const auto result = nlohmann::json::parse(read_file(folder / "r.json"));
  constexpr std::uint64_t bytes = 64 << 20;
  EXPECT_TRUE(is_right(result));
  EXPECT_EQ(result["verified_elements"], 8 * bytes / 2);
  const double ideal_ns = static_cast<double>(bytes) / 3000;
  EXPECT_GT(result["operations"][0]["end_ns"].get<double>(), ideal_ns);
  EXPECT_LT(result["operations"][0]["end_ns"].get<double>(), 1.03 * ideal_ns);

  // 4090 bytes of data a packet, 16409 packets.
  const Crossing each{bytes + 16409 * 6, 16409, 0};
  for (std::uint32_t n = 0; n < 8; ++n) {
    expect_link(result, "npu" + std::to_string(n) + "_to_switch", each);
    expect_link(result, "switch_to_npu" + std::to_string(n), each);
  }
  EXPECT_EQ(result["packets"]["sent"], 8 * 16409);
  EXPECT_GT(std::filesystem::file_size(folder / "w.vcd"), 1000000u);
  EXPECT_GT(std::filesystem::file_size(folder / "w.gtkw"), 1000u);
}

// Memory is bounded by what is in flight, not by what is moved.
TEST(Packets, AreAllocatedByWhatIsInFlight) {
  std::vector<nlohmann::json> allocated;
  for (const char* bytes : {"4194304", "67108864"}) {
    const Folder folder;
    write_file(folder / "t.jsonl",
               std::string("{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":8,\"name\":\"t\"}\n"
                           "{\"id\":\"a\",\"type\":\"all_reduce\",\"npus\":[0,1,2,3,4,5,6,7],\"bytes\":") +
                   bytes + "}\n");
    const Outcome outcome = fredsim({"run", single_switch(), "--trace", folder / "t.jsonl", "--json", "-"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    allocated.push_back(nlohmann::json::parse(outcome.out)["performance"]["packets_allocated"]);
  }
  EXPECT_GT(allocated[0], 8);
  EXPECT_EQ(allocated[0], allocated[1]);
}

}  // namespace
}  // namespace fredsim::tb::test
