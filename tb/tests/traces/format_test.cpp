#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "hw/core/error.h"
#include "tb/tests/traces/trace_text.h"
#include "tb/tests/traces/workloads_equal.h"
#include "traces/format/check.h"
#include "traces/format/summary.h"
#include "traces/generate/generate.h"

namespace fredsim::trace::testing {
namespace {

using hw::NpuId;
using hw::OperationId;

TEST(ReadTrace, EveryTypeAndKey) {
  const ReadResult result = read_lines(
      R"({"id":"c","type":"compute","npus":[0],"ns":3.3})"
      "\n"
      R"({"id":"f","type":"compute","npus":[1],"flops":1e12})"
      "\n"
      R"({"id":"ar","type":"all_reduce","npus":[3,1,0],"bytes":4611686018427387904,"class":"mp","op":"max","dtype":"bf16","algorithm":"ring","after":["c","f"],"after_all":["last"]})"
      "\n"
      R"({"id":"b","type":"broadcast","npus":[0,1],"bytes":0,"root":1})"
      "\n\n"
      R"({"id":"s","type":"send","npus":[2],"to":5,"tag":-7,"bytes":9,"class":"pp","dtype":"fp32"})"
      "\n"
      R"({"id":"r","type":"recv","npus":[5],"from":2,"tag":-7,"bytes":9,"class":"pp","dtype":"fp32"})"
      "\r\n"
      R"({"id":"l","type":"load","npus":[0,1],"bytes":8})"
      "\n"
      R"({"id":"st","type":"store","npus":[0,1],"bytes":8,"mode":"shard","op":"min"})"
      "\n"
      R"({"id":"last","type":"barrier","npus":[7]})");
  ASSERT_EQ(text_of(result.problems), "");
  const hw::Workload& workload = result.workload;
  EXPECT_EQ(workload.name, "test");
  EXPECT_EQ(workload.source, "t.jsonl");
  EXPECT_EQ(workload.npus, 8u);
  ASSERT_EQ(workload.operations.size(), 9u);
  EXPECT_EQ(workload.operations[0].duration, hw::Time::fs(3'300'000));
  EXPECT_EQ(workload.operations[1].flops, 1e12);

  const hw::Operation& all_reduce = workload.operations[2];
  EXPECT_EQ(all_reduce.type, hw::OperationType::all_reduce);
  EXPECT_EQ(all_reduce.npus, (hw::Group{NpuId(3), NpuId(1), NpuId(0)}));
  EXPECT_EQ(all_reduce.bytes, std::uint64_t{1} << 62);
  EXPECT_EQ(all_reduce.traffic_class, hw::TrafficClass::mp);
  EXPECT_EQ(all_reduce.op, hw::ReduceOp::max);
  EXPECT_EQ(all_reduce.dtype, hw::DType::bf16);
  EXPECT_EQ(all_reduce.algorithm, "ring");
  EXPECT_EQ(all_reduce.after, (std::vector<OperationId>{OperationId(0), OperationId(1)}));
  EXPECT_EQ(all_reduce.after_all, std::vector<OperationId>{OperationId(8)});
  EXPECT_EQ(all_reduce.line, 4u);

  EXPECT_EQ(workload.operations[3].root, NpuId(1));
  EXPECT_EQ(workload.operations[3].traffic_class, hw::TrafficClass::dp);
  EXPECT_EQ(workload.operations[3].dtype, std::nullopt);
  EXPECT_EQ(workload.operations[4].peer, NpuId(5));
  EXPECT_EQ(workload.operations[4].tag, -7);
  EXPECT_EQ(workload.operations[4].partner, OperationId(5));
  EXPECT_EQ(workload.operations[5].partner, OperationId(4));
  EXPECT_EQ(workload.operations[5].line, 8u);
  EXPECT_EQ(workload.operations[6].mode, "broadcast");
  EXPECT_EQ(workload.operations[7].mode, "shard");
  EXPECT_EQ(workload.operations[7].op, hw::ReduceOp::min);
}

TEST(ReadTrace, SendsAndReceivesOfOneChannelMatchInFileOrder) {
  const std::string send = R"(,"type":"send","npus":[0],"to":1,"bytes":)",
                    recv = R"(,"type":"recv","npus":[1],"from":0,"bytes":)";
  const ReadResult result = read_lines("{\"id\":\"r1\"" + recv + "1}\n{\"id\":\"s1\"" + send +
                                       "1}\n{\"id\":\"s2\"" + send + "2}\n{\"id\":\"s3\"" + send +
                                       "3}\n{\"id\":\"r2\"" + recv + "2}\n{\"id\":\"r3\"" + recv + "3}\n");
  ASSERT_EQ(text_of(result.problems), "");
  const auto& operations = result.workload.operations;
  EXPECT_EQ(operations[0].partner, OperationId(1));
  EXPECT_EQ(operations[2].partner, OperationId(4));
  EXPECT_EQ(operations[3].partner, OperationId(5));
}

TEST(ReadTrace, AGroupOfOneAndNoBytesAreFine) {
  for (const char* type : {"all_reduce", "reduce_scatter", "all_gather", "all_to_all"}) {
    const ReadResult result =
        read_lines(std::string(R"({"id":"a","type":")") + type + R"(","npus":[3],"bytes":0})");
    EXPECT_EQ(text_of(result.problems), "") << type;
  }
}

TEST(ReadTrace, OppositeOrdersOfTwoNpusAreNoCycle) {
  // It hangs when it runs, which is for the run to say: every NPU has an order of its own.
  const ReadResult result = read_lines(R"({"id":"A","type":"barrier","npus":[0,1],"after":["c1"]})"
                                       "\n"
                                       R"({"id":"c0","type":"compute","npus":[0],"ns":0,"after":["A"]})"
                                       "\n"
                                       R"({"id":"B","type":"barrier","npus":[0,1],"after":["c0"]})"
                                       "\n"
                                       R"({"id":"c1","type":"compute","npus":[1],"ns":0,"after":["B"]})"
                                       "\n");
  EXPECT_EQ(text_of(result.problems), "");
}

TEST(WriteTrace, RandomWorkloadsReadBackEqual) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomPattern pattern;
    pattern.seed = seed;
    pattern.npus = static_cast<std::uint32_t>(1 + seed % 13);
    pattern.operations = 40;
    pattern.max_bytes = std::uint64_t{1} << (seed % 63);
    pattern.io = true;
    const hw::Workload workload = generate_random(pattern);
    const std::string text = write_text(workload);
    const ReadResult result = read_text(text);
    ASSERT_EQ(text_of(result.problems), "");
    expect_equal(result.workload, workload);
    EXPECT_EQ(write_text(result.workload), text);
  }
}

TEST(WriteTrace, TimesNamesAndFiguresSurviveExactly) {
  hw::Workload workload;
  workload.npus = 2;
  workload.name = "a \"quoted\" \\ name \xc3\xa4";
  const std::int64_t times[] = {
      0, 1, 999'999, 1'000'000, 1'234'567'890'123'456'789, 9'223'372'036'854'775'807};
  for (const std::int64_t fs : times) {
    hw::Operation operation;
    operation.id = "t\"" + std::to_string(fs);
    operation.npus = {NpuId(1)};
    operation.duration = hw::Time::fs(fs);
    workload.operations.push_back(operation);
  }
  for (const double flops : {1.0, 0.1, 1e24, 1.2345678901234567e15}) {
    hw::Operation operation;
    operation.id = "f" + std::to_string(workload.operations.size());
    operation.npus = {NpuId(0)};
    operation.flops = flops;
    workload.operations.push_back(operation);
  }
  const ReadResult result = read_text(write_text(workload));
  ASSERT_EQ(text_of(result.problems), "");
  expect_equal(result.workload, workload);
}

TEST(WriteTrace, EveryCutOfTheFileIsNoticed) {
  RandomPattern pattern;
  pattern.operations = 12;
  const std::string text = write_text(generate_random(pattern));
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    EXPECT_FALSE(read_text(text.substr(0, length)).problems.empty()) << length;
  }
  // Only the last line end may be missing.
  EXPECT_TRUE(read_text(text.substr(0, text.size() - 1)).problems.empty());
}

TEST(WriteTrace, AnUnwritablePathIsTheUsersError) {
  EXPECT_THROW(write(generate_random({}), "/nonexistent/folder/t.jsonl"), hw::InputError);
}

TEST(CheckTrace, WorkloadsMadeByHandAreCheckedToo) {
  hw::Workload workload;
  workload.source = "made";
  workload.npus = 2;
  hw::Operation operation;
  operation.id = "a";
  operation.type = hw::OperationType::reduce;
  operation.npus = {NpuId(0), NpuId(1)};
  operation.bytes = max_bytes + 1;
  operation.after = {OperationId(7)};
  workload.operations = {operation, operation};
  EXPECT_EQ(text_of(check(workload)),
            "made: operation \"a\": a reduce needs a root\n"
            "made: operation \"a\": bytes is 4611686018427387905, at most 2^62 are allowed\n"
            "made: operation \"a\": after names operation 8 of a trace of 2\n"
            "made: operation \"a\": the id is already that of operation 1 of the trace\n"
            "made: operation \"a\": a reduce needs a root\n"
            "made: operation \"a\": bytes is 4611686018427387905, at most 2^62 are allowed\n"
            "made: operation \"a\": after names operation 8 of a trace of 2\n");
  EXPECT_EQ(text_of(check(hw::Workload{})), ": the trace is for 0 NPUs, allowed are 1 to 1048576\n");
}

TEST(SummarizeTrace, CountsOperationsBytesGroupsAndDepth) {
  const ReadResult result =
      read_lines(R"({"id":"a","type":"all_reduce","npus":[0,1],"bytes":100,"class":"mp"})"
                 "\n"
                 R"({"id":"b","type":"all_reduce","npus":[1,0],"bytes":20,"after":["a"]})"
                 "\n"
                 R"({"id":"s","type":"send","npus":[0],"to":2,"bytes":3,"class":"pp","after":["b"]})"
                 "\n"
                 R"({"id":"r","type":"recv","npus":[2],"from":0,"bytes":3,"class":"pp"})"
                 "\n"
                 R"({"id":"c","type":"compute","npus":[7],"ns":1,"after_all":["r"]})"
                 "\n"
                 R"({"id":"d","type":"compute","npus":[0],"ns":1})"
                 "\n");
  ASSERT_EQ(text_of(result.problems), "");
  const Summary summary = summarize(result.workload);
  EXPECT_EQ(summary.depth, 5u);
  EXPECT_EQ(summary.by_type.at(hw::OperationType::all_reduce).operations, 2u);
  EXPECT_EQ(summary.by_type.at(hw::OperationType::all_reduce).bytes, 120u);
  EXPECT_EQ(summary.by_type.count(hw::OperationType::barrier), 0u);
  EXPECT_EQ(summary.by_class[0].bytes, 100u);
  EXPECT_EQ(summary.by_class[1].operations, 2u);
  EXPECT_EQ(summary.by_class[2].operations, 1u);
  EXPECT_EQ(summary.groups.size(), 5u);
  EXPECT_EQ(summary.groups.at({0}), 2u);
}

}  // namespace
}  // namespace fredsim::trace::testing
