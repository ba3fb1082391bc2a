// The traces in traces/samples: all can run on eight NPUs, and together they show every type.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "tb/tests/traces/trace_text.h"

namespace fredsim::trace::testing {
namespace {

const std::filesystem::path samples = std::filesystem::path(PROJECT_SOURCE_DIR) / "traces/samples";

TEST(Samples, CanRunOnEightNpusAndShowEveryType) {
  std::set<hw::OperationType> types;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(samples)) {
    SCOPED_TRACE(entry.path());
    const ReadResult result = read(entry.path().string(), 8);
    EXPECT_EQ(text_of(result.problems), "");
    EXPECT_EQ(result.workload.npus, 8u);
    for (const hw::Operation& operation : result.workload.operations) types.insert(operation.type);
    ++files;
  }
  EXPECT_GE(files, 10u);
  // One switch has no I/O controllers, so no sample loads or stores.
  for (const std::string& name : hw::operation_type_names()) {
    const auto type = *hw::parse_operation_type(name);
    const bool io = type == hw::OperationType::load || type == hw::OperationType::store;
    EXPECT_EQ(types.count(type), io ? 0u : 1u) << name;
  }
}

TEST(Samples, TheAllReduceOfTheReadme) {
  const hw::Workload workload = read_checked((samples / "all_reduce_8npus_64MiB.jsonl").string());
  ASSERT_EQ(workload.operations.size(), 1u);
  const hw::Operation& operation = workload.operations[0];
  EXPECT_EQ(operation.type, hw::OperationType::all_reduce);
  EXPECT_EQ(operation.npus.size(), 8u);
  EXPECT_EQ(operation.bytes, std::uint64_t{64} << 20);
  EXPECT_EQ(operation.dtype, hw::DType::fp16);
}

}  // namespace
}  // namespace fredsim::trace::testing
