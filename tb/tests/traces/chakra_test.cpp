#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <limits>

#include "hw/core/error.h"
#include "tb/tests/traces/chakra_files.h"
#include "tb/tests/traces/trace_text.h"
#include "tb/tests/traces/workloads_equal.h"
#include "traces/chakra/import.h"
#include "traces/chakra/load.h"
#include "traces/format/check.h"

namespace fredsim::trace::testing {
namespace {

using hw::NpuId;
using hw::OperationType;

const hw::Operation& find(const hw::Workload& workload, const std::string& id) {
  for (const hw::Operation& operation : workload.operations) {
    if (operation.id == id) return operation;
  }
  throw std::runtime_error("no operation " + id);
}

std::vector<std::string> after(const hw::Workload& workload, const std::string& id) {
  std::vector<std::string> names;
  for (const hw::OperationId dep : find(workload, id).after)
    names.push_back(workload.operations[dep.value].id);
  return names;
}

using Names = std::vector<std::string>;

TEST_F(Chakra, OneCollectiveOfAllRanksIsOneOperation) {
  for (int r = 0; r < 4; ++r) rank(r, {collective(static_cast<std::uint64_t>(r), 0, 1 << 20)});
  const hw::Workload workload = import();
  EXPECT_EQ(workload.npus, 4u);
  EXPECT_EQ(workload.name, "t");
  ASSERT_EQ(workload.operations.size(), 1u);
  EXPECT_EQ(workload.operations[0].id, "all.0.coll");
  EXPECT_EQ(workload.operations[0].type, OperationType::all_reduce);
  EXPECT_EQ(workload.operations[0].bytes, 1u << 20);
  EXPECT_EQ(workload.operations[0].npus, (hw::Group{NpuId(0), NpuId(1), NpuId(2), NpuId(3)}));
}

TEST_F(Chakra, TypesAndSizes) {
  // comm_type, our type, bytes of comm_size 1200 in a group of 4, whether it has a root
  struct Case {
    int comm_type;
    OperationType type;
    std::uint64_t bytes;
    bool rooted;
  };
  const std::vector<Case> cases = {
      {0, OperationType::all_reduce, 1200, false},     {1, OperationType::reduce, 1200, true},
      {2, OperationType::all_gather, 1200, false},     {3, OperationType::gather, 300, true},
      {4, OperationType::scatter, 300, true},          {5, OperationType::broadcast, 1200, true},
      {6, OperationType::all_to_all, 1200, false},     {7, OperationType::reduce_scatter, 1200, false},
      {8, OperationType::reduce_scatter, 1200, false}, {9, OperationType::barrier, 0, false}};
  for (int r = 0; r < 4; ++r) {
    std::vector<Node> nodes = {groups(99, R"([{"pg_name":"9","ranks":[2,0,1,3]}])")};
    for (const Case& c : cases)
      nodes.push_back(collective(static_cast<std::uint64_t>(c.comm_type), c.comm_type, 1200, "9"));
    rank(r, nodes);
  }
  const hw::Workload workload = import();
  ASSERT_EQ(workload.operations.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const hw::Operation& operation = workload.operations[i];
    EXPECT_EQ(operation.type, cases[i].type) << i;
    EXPECT_EQ(operation.bytes, cases[i].bytes) << i;
    EXPECT_EQ(operation.root.has_value(), cases[i].rooted) << i;
    // Without a root attribute it is the group's first rank.
    if (cases[i].rooted) {
      EXPECT_EQ(operation.root, NpuId(2)) << i;
    }
    EXPECT_EQ(operation.npus.front(), NpuId(2));
  }
}

TEST_F(Chakra, EveryWidthOfIntegerIsRead) {
  const Width widths[] = {Width::int32,  Width::int64,   Width::uint32,  Width::uint64,   Width::sint32,
                          Width::sint64, Width::fixed32, Width::fixed64, Width::sfixed32, Width::sfixed64};
  for (int r = 0; r < 2; ++r) {
    std::vector<Node> nodes;
    std::uint64_t id = 0;
    for (const Width width : widths) {
      Node node = collective(id++, 0, 0);
      node.attributes = {attribute("comm_type", 5, width), attribute("comm_size", 2000000011, width),
                         attribute("root", 1, width), attribute("is_cpu_op", 0, width),
                         attribute("pg_name", 0, width)};
      nodes.push_back(node);
    }
    rank(r, nodes);
  }
  const hw::Workload workload = import();
  ASSERT_EQ(workload.operations.size(), 10u);
  for (const hw::Operation& operation : workload.operations) {
    EXPECT_EQ(operation.type, OperationType::broadcast);
    EXPECT_EQ(operation.bytes, 2000000011u);
    EXPECT_EQ(operation.root, NpuId(1));
  }
}

TEST_F(Chakra, NegativeTagsOfEverySignedWidth) {
  const Width widths[] = {Width::int32,  Width::int64,    Width::sint32,
                          Width::sint64, Width::sfixed32, Width::sfixed64};
  std::vector<Node> sends, recvs;
  std::uint64_t id = 0;
  for (const Width width : widths) {
    sends.push_back(point_to_point(id, true, 0, 1, 8, 0));
    recvs.push_back(point_to_point(id++, false, 0, 1, 8, 0));
    sends.back().attributes.back() = recvs.back().attributes.back() = attribute("comm_tag", -5, width);
  }
  rank(0, sends);
  rank(1, recvs);
  for (const hw::Operation& operation : import().operations) EXPECT_EQ(operation.tag, -5);
}

TEST_F(Chakra, GzippedFilesReadTheSame) {
  const std::vector<Node> nodes = {compute(1, 5), collective(2, 0, 64, "", {1})};
  rank(0, nodes);
  rank(1, nodes);
  const hw::Workload plain = import();
  rank(0, nodes, true);
  std::filesystem::remove(folder_ / "t.1.et");
  write_file(folder_ / "t.1.et.gz", file_of(nodes), true);
  expect_equal(import(), plain);
}

TEST_F(Chakra, SendsReceivesAndComputes) {
  rank(0, {compute(10, 3), point_to_point(11, true, 0, 1, 100, 7, {10})});
  rank(1, {point_to_point(5, false, 0, 1, 100, 7), compute(6, 2, {5})});
  const hw::Workload workload = import();
  ASSERT_EQ(workload.operations.size(), 4u);
  EXPECT_EQ(find(workload, "npu0.10.compute").duration, hw::Time::fs(3'000'000'000));
  const hw::Operation& send = find(workload, "npu0.11.send");
  EXPECT_EQ(send.type, OperationType::send);
  EXPECT_EQ(send.bytes, 100u);
  EXPECT_EQ(send.tag, 7);
  EXPECT_EQ(send.peer, NpuId(1));
  EXPECT_EQ(workload.operations[send.partner->value].id, "npu1.5.recv");
  EXPECT_EQ(after(workload, "npu0.11.send"), Names{"npu0.10.compute"});
  EXPECT_EQ(after(workload, "npu1.6.compute"), Names{"npu1.5.recv"});
}

TEST_F(Chakra, HostWorkAndMemoryNodesAreComputes) {
  Node host = collective(1, 0, 1 << 20);
  host.attributes[0] = flag("is_cpu_op", true);
  host.micros = 4;
  Node load = compute(2, 6, {1});
  load.type = 2;
  Node flops = compute(3, 0, {2});
  flops.attributes = {attribute("num_ops", 1000)};
  rank(0, {host, load, flops});
  const hw::Workload workload = import();
  ASSERT_EQ(workload.operations.size(), 3u);
  for (const hw::Operation& operation : workload.operations)
    EXPECT_EQ(operation.type, OperationType::compute);
  EXPECT_EQ(workload.operations[0].duration, hw::Time::fs(4'000'000'000));
  EXPECT_EQ(workload.operations[1].duration, hw::Time::fs(6'000'000'000));
  EXPECT_EQ(workload.operations[2].flops, 1000.0);
}

TEST_F(Chakra, AnOrderThatAllRanksShareIsAnAfter) {
  for (int r = 0; r < 3; ++r) rank(r, {collective(1, 0, 64), collective(2, 2, 64, "", {1})});
  const hw::Workload workload = import();
  EXPECT_EQ(workload.operations.size(), 2u);
  EXPECT_EQ(after(workload, "all.1.coll"), Names{"all.0.coll"});
}

TEST_F(Chakra, AnOrderOfOneRankOnlyGoesThroughAComputeOfNoTime) {
  rank(0, {collective(1, 0, 64), collective(2, 2, 64, "", {1})});
  rank(1, {collective(1, 0, 64), collective(2, 2, 64)});
  const hw::Workload workload = import();
  ASSERT_EQ(workload.operations.size(), 3u);
  EXPECT_EQ(after(workload, "all.1.coll"), Names{"order.0"});
  EXPECT_EQ(after(workload, "order.0"), Names{"all.0.coll"});
  const hw::Operation& joint = find(workload, "order.0");
  EXPECT_EQ(joint.type, OperationType::compute);
  EXPECT_EQ(joint.npus, hw::Group{NpuId(0)});
  EXPECT_EQ(joint.duration, hw::Time());
}

/// What each of two NPUs waits for, through computes of no time.
void expect_opposite_orders(const hw::Workload& workload) {
  ASSERT_EQ(workload.operations.size(), 4u);
  const auto joint_of = [&](const std::string& id) {
    const Names names = after(workload, id);
    return names.size() == 1 ? names[0] : std::string();
  };
  const std::string before_2 = joint_of("pg2.0.coll"), before_1 = joint_of("pg1.0.coll");
  ASSERT_NE(before_1, "");
  ASSERT_NE(before_2, "");
  EXPECT_EQ(find(workload, before_2).npus, hw::Group{NpuId(0)});
  EXPECT_EQ(after(workload, before_2), Names{"pg1.0.coll"});
  EXPECT_EQ(find(workload, before_1).npus, hw::Group{NpuId(1)});
  EXPECT_EQ(after(workload, before_1), Names{"pg2.0.coll"});
}

TEST_F(Chakra, OppositeOrdersByDependenciesAreKept) {
  rank(0, {groups(9, two_groups), collective(1, 0, 64, "1"), collective(2, 0, 64, "2", {1})});
  rank(1, {groups(9, two_groups), collective(1, 0, 64, "2"), collective(2, 0, 64, "1", {1})});
  expect_opposite_orders(import());
}

TEST_F(Chakra, OppositeOrdersByTheFilesAreKept) {
  rank(0, {groups(9, two_groups), collective(1, 0, 64, "1"), collective(2, 0, 64, "2")});
  rank(1, {groups(9, two_groups), collective(1, 0, 64, "2"), collective(2, 0, 64, "1")});
  const hw::Workload workload = import();
  expect_opposite_orders(workload);
  const ReadResult again = read_text(write_text(workload));
  EXPECT_EQ(text_of(again.problems), "");
  expect_equal(again.workload, workload);
}

TEST_F(Chakra, OrdersThatOnlyContradictInARingAreKept) {
  const char* const pairs =
      R"([{"pg_name":"a","ranks":[0,1]},{"pg_name":"b","ranks":[1,2]},{"pg_name":"c","ranks":[2,0]}])";
  rank(0, {groups(9, pairs), collective(1, 0, 64, "a"), collective(2, 0, 64, "c")});
  rank(1, {collective(1, 0, 64, "b"), collective(2, 0, 64, "a")});
  rank(2, {collective(1, 0, 64, "c"), collective(2, 0, 64, "b")});
  const hw::Workload workload = import();
  // Each pair shares one NPU, so a plain `after` says it.
  EXPECT_EQ(after(workload, "pgc.0.coll"), Names{"pga.0.coll"});
  EXPECT_EQ(after(workload, "pga.0.coll"), Names{"pgb.0.coll"});
  EXPECT_EQ(after(workload, "pgb.0.coll"), Names{"pgc.0.coll"});
}

TEST_F(Chakra, AgreeingOrdersBindNothingAndAreThePlacesInTheTrace) {
  for (int r = 0; r < 2; ++r) {
    std::vector<Node> nodes = {groups(9, two_groups)};
    if (r == 0) nodes.push_back(compute(50, 1));
    for (std::uint64_t i = 0; i < 6; ++i) nodes.push_back(collective(i, 0, 64, i % 3 == 0 ? "1" : "2"));
    rank(r, nodes);
  }
  const hw::Workload workload = import();
  Names order;
  for (const hw::Operation& operation : workload.operations) {
    EXPECT_TRUE(operation.after.empty());
    if (operation.type != OperationType::compute) order.push_back(operation.id);
  }
  EXPECT_EQ(order,
            (Names{"pg1.0.coll", "pg2.0.coll", "pg2.1.coll", "pg1.1.coll", "pg2.2.coll", "pg2.3.coll"}));
}

TEST_F(Chakra, MetadataPassesDependenciesOn) {
  Node marker = groups(3, "");
  marker.data_deps = {1};
  rank(0, {groups(7, ""), compute(1, 5, {7}), marker, compute(4, 5, {3})});
  const hw::Workload workload = import();
  ASSERT_EQ(workload.operations.size(), 3u);
  EXPECT_TRUE(after(workload, "npu0.1.compute").empty());
  EXPECT_EQ(after(workload, "npu0.3.groups"), Names{"npu0.1.compute"});
  EXPECT_EQ(after(workload, "npu0.4.compute"), Names{"npu0.3.groups"});
}

TEST_F(Chakra, DependenciesMayPointForwardAndControlCountsAsData) {
  Node second = compute(2, 1);
  second.ctrl_deps = {1, 1};
  second.data_deps = {1};
  rank(0, {second, compute(1, 1)});
  const hw::Workload workload = import();
  EXPECT_EQ(after(workload, "npu0.2.compute"), Names{"npu0.1.compute"});
  EXPECT_EQ(workload.operations[0].id, "npu0.1.compute");
}

TEST_F(Chakra, AllRanksByAnyName) {
  const char* const all = R"([{"pg_name":"0","ranks":[0,1]}])";
  rank(0, {groups(9, all), collective(1, 0, 64, "0"), collective(2, 0, 64)});
  Node empty_name = collective(2, 0, 64);
  empty_name.attributes.push_back(attribute("pg_name", std::string()));
  rank(1, {collective(1, 0, 64), empty_name});
  EXPECT_EQ(import().operations.size(), 2u);
}

TEST_F(Chakra, OddNamesMakeTidyIds) {
  Node odd = compute(1, 1);
  odd.name = "a b\n\"\xff\\" + std::string(1000, 'x');
  rank(0, {odd});
  const hw::Workload workload = import();
  EXPECT_EQ(workload.operations[0].id, "npu0.1.a_b____" + std::string(57, 'x'));
  EXPECT_EQ(text_of(read_text(write_text(workload)).problems), "");
}

TEST_F(Chakra, LoadTakesATraceFileOrAPrefix) {
  rank(0, {compute(1, 1)});
  rank(1, {compute(1, 1)});
  EXPECT_EQ(load(folder_ / "t").npus, 2u);
  EXPECT_THROW(load(folder_ / "t", 1), hw::InputError);
  write(load(folder_ / "t"), folder_ / "t.jsonl");
  EXPECT_EQ(load(folder_ / "t.jsonl").npus, 2u);
  const auto message = [&](const std::string& path) {
    try {
      load(path);
    } catch (const hw::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message(folder_ / "t.0.et").find("give the prefix " + (folder_ / "t")), std::string::npos);
  EXPECT_NE(message(folder_ / "none").find("no such trace file"), std::string::npos);
}

TEST(RealChakra, EveryTraceOfTheSharedDataImports) {
  const char* variable = std::getenv("FREDSIM_SHARED_DATA");
  const std::filesystem::path data =
      (variable ? std::filesystem::path(variable)
                : std::filesystem::path(PROJECT_SOURCE_DIR) / "../shared/data") /
      "chakra";
  if (!std::filesystem::is_directory(data)) GTEST_SKIP() << "no real traces in " << data;
  int traces = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data)) {
    // "all_gather.4npus/all_gather.0.et"
    const std::string folder = entry.path().filename().string();
    const std::string name = folder.substr(0, folder.find('.'));
    SCOPED_TRACE(folder);
    const hw::Workload workload = import_chakra((entry.path() / name).string());
    EXPECT_EQ(std::to_string(workload.npus) + "npus", folder.substr(folder.find('.') + 1));
    ASSERT_EQ(workload.operations.size(), 1u);
    EXPECT_EQ(hw::to_string(workload.operations[0].type), name);
    EXPECT_EQ(workload.operations[0].npus.size(), workload.npus);
    // "1MB" in their names is 2^20.
    EXPECT_EQ(workload.operations[0].bytes, 1u << 20);
    ++traces;
  }
  EXPECT_GE(traces, 8);
}

}  // namespace
}  // namespace fredsim::trace::testing
