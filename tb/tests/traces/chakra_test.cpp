#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <limits>

#include "hw/core/error.h"
#include "tb/tests/traces/chakra_writer.h"
#include "tb/tests/traces/trace_text.h"
#include "tb/tests/traces/workloads_equal.h"
#include "traces/chakra/import.h"
#include "traces/chakra/load.h"
#include "traces/format/check.h"

namespace fredsim::trace::testing {
namespace {

using hw::NpuId;
using hw::OperationType;

class Chakra : public ::testing::Test {
 protected:
  void rank(int rank, const std::vector<Node>& nodes, bool gzip = false) { raw(rank, file_of(nodes), gzip); }
  void raw(int rank, const std::string& text, bool gzip = false) {
    write_file(folder_ / ("t." + std::to_string(rank) + ".et"), text, gzip);
  }
  hw::Workload import() { return import_chakra(folder_ / "t"); }
  std::string refusal() {
    try {
      import();
    } catch (const hw::InputError& error) {
      return error.what();
    }
    return "imported";
  }
  void expect_refusal(const std::vector<std::string>& words) {
    const std::string text = refusal();
    for (const std::string& word : words)
      EXPECT_NE(text.find(word), std::string::npos) << word << "\nin: " << text;
  }

  Folder folder_;
};

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

const char* const two_groups = R"([{"pg_name":"1","ranks":[0,1]},{"pg_name":"2","ranks":[0,1]}])";

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

// What cannot be imported.

TEST_F(Chakra, MissingFiles) {
  EXPECT_FALSE(is_chakra_prefix(folder_ / "t"));
  expect_refusal({"there is no Chakra trace", "t.0.et"});
  rank(0, {compute(1, 1)});
  rank(2, {compute(1, 1)});
  expect_refusal({"t.1.et is missing", "up to rank 2"});
  std::filesystem::remove(folder_ / "t.0.et");
  expect_refusal({"t.0.et is missing"});
}

TEST_F(Chakra, OtherFilesBesideAreNoRanks) {
  rank(0, {compute(1, 1)});
  for (const char* name :
       {"t.01.et", "t.x.et", "t..et", "t.1.et.txt", "t2.1.et", "t.-1.et", "t.99999999999.et"}) {
    write_file(folder_ / name, "x");
  }
  EXPECT_EQ(import().npus, 1u);
}

TEST_F(Chakra, TwoFilesForARank) {
  rank(0, {compute(1, 1)});
  write_file(folder_ / "t.0.et.gz", file_of({compute(1, 1)}), true);
  expect_refusal({"two files for rank 0"});
}

TEST_F(Chakra, DamagedFiles) {
  raw(0, "");
  expect_refusal({"t.0.et", "empty"});
  raw(0, "hello, this is a text and no trace\n");
  expect_refusal({"t.0.et: message 1"});
  raw(0, std::string(10, '\xff'));
  expect_refusal({"t.0.et: message 1", "varint"});
  raw(0, "\xff\xff\xff\xff\x0f");
  expect_refusal({"t.0.et: message 1", "4294967295"});
  raw(0, delimited(Message().text(1, "0.0.4").bytes()) + delimited("\x12\x7fshort"));
  expect_refusal({"t.0.et: message 2", "no Chakra node"});
  raw(0, delimited(Message().text(1, "0.0.4").bytes()));
  expect_refusal({"no operations"});
}

TEST_F(Chakra, EveryCutOffFileIsRefusedOrLacksWholeNodesOnly) {
  const std::vector<Node> nodes = {compute(1, 5), collective(2, 0, 64, "", {1}), compute(3, 1)};
  const std::string text = file_of(nodes);
  std::vector<std::size_t> whole = {text.size()};
  for (std::size_t n = 1; n < nodes.size(); ++n)
    whole.push_back(file_of({nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(n)}).size());
  for (std::size_t length = 0; length < text.size(); ++length) {
    raw(0, text.substr(0, length));
    const bool between_nodes = std::find(whole.begin(), whole.end(), length) != whole.end();
    EXPECT_EQ(refusal() == "imported", between_nodes) << length;
  }
  rank(0, nodes, true);
  const auto path = folder_ / "t.0.et";
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 9);
  expect_refusal({"t.0.et", "cut off"});
}

TEST_F(Chakra, GarbageNeverCrashes) {
  std::uint64_t state = 12345;
  for (int round = 0; round < 300; ++round) {
    std::string text = file_of({groups(9, two_groups), collective(1, 0, 64, "1"), compute(2, 5, {1})});
    for (int i = 0; i < 3; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      text[(state >> 33) % text.size()] = static_cast<char>(state >> 25);
    }
    raw(0, text);
    raw(1, text);
    EXPECT_NO_FATAL_FAILURE(refusal());
  }
}

struct BadNode {
  const char* name;
  std::function<std::vector<Node>()> nodes;  ///< of ranks 0 and 1
  std::vector<std::string> words;
};

TEST_F(Chakra, BadNodesAreRefusedByFileAndNode) {
  const auto with = [](Node node, const std::function<void(Node&)>& change) {
    change(node);
    return node;
  };
  const std::vector<BadNode> cases = {
      {"invalid type",
       [&] { return std::vector{with(compute(5, 1), [](Node& n) { n.type = 0; })}; },
       {"t.0.et: node 5 (compute)", "type is 0"}},
      {"unknown type",
       [&] { return std::vector{with(compute(5, 1), [](Node& n) { n.type = 12; })}; },
       {"node 5", "type is 12"}},
      {"unknown dependency",
       [] { return std::vector{compute(5, 1, {4})}; },
       {"t.0.et: node 5", "depends on node 4"}},
      {"own dependency",
       [] { return std::vector{compute(5, 1, {5})}; },
       {"t.0.et: node 5", "depends on itself"}},
      {"id twice",
       [] {
         return std::vector{compute(5, 1), compute(5, 1)};
       },
       {"t.0.et: node 5", "given twice"}},
      {"cycle",
       [] {
         return std::vector{compute(5, 1, {6}), compute(6, 1, {5})};
       },
       {"cycle", "npu0.5.compute", "npu0.6.compute"}},
      {"no comm_type",
       [&] {
         return std::vector{
             with(collective(5, 0, 4), [](Node& n) { n.attributes.erase(n.attributes.begin() + 1); })};
       },
       {"node 5 (coll)", "no comm_type"}},
      {"comm_type 10", [] { return std::vector{collective(5, 10, 4)}; }, {"comm_type is 10", "0 to 9"}},
      {"comm_type of text",
       [&] {
         return std::vector{with(collective(5, 0, 4), [](Node& n) {
           n.attributes[1] = attribute("comm_type", std::string("ALL_REDUCE"));
         })};
       },
       {"comm_type must be a whole number"}},
      {"no comm_size",
       [&] { return std::vector{with(collective(5, 0, 4), [](Node& n) { n.attributes.pop_back(); })}; },
       {"no comm_size"}},
      {"negative comm_size", [] { return std::vector{collective(5, 0, -4)}; }, {"comm_size is -4"}},
      {"huge comm_size",
       [&] {
         return std::vector{with(collective(5, 0, 4), [](Node& n) {
           n.attributes.back() = attribute("comm_size", -1, Width::uint64);
         })};
       },
       {"comm_size is 18446744073709551615"}},
      {"uneven scatter",
       [] { return std::vector{collective(5, 4, 5)}; },
       {"comm_size 5", "divide by the 2 ranks"}},
      {"unknown group",
       [] { return std::vector{collective(5, 0, 4, "x")}; },
       {"no metadata node defines", "\"x\""}},
      {"not in group",
       [] {
         return std::vector{groups(1, R"([{"pg_name":"x","ranks":[1]}])"), collective(5, 0, 4, "x")};
       },
       {"node 5", "rank 0 is not in", "\"x\""}},
      {"group outside",
       [] {
         return std::vector{groups(1, R"([{"pg_name":"x","ranks":[0,2]}])"), collective(5, 0, 4, "x")};
       },
       {"node 1", "rank 2", "ranks 0 to 1"}},
      {"group twice",
       [] {
         return std::vector{groups(1, R"([{"pg_name":"x","ranks":[0,0]}])"), collective(5, 0, 4, "x")};
       },
       {"rank 0 twice"}},
      {"group 0 of some",
       [] {
         return std::vector{groups(1, R"([{"pg_name":"0","ranks":[1]}])"), collective(5, 0, 4)};
       },
       {"\"0\" means all ranks"}},
      {"group no JSON",
       [] {
         return std::vector{groups(1, R"([{"pg_name":"x)"), collective(5, 0, 4)};
       },
       {"node 1", "inputs.values", "no JSON array"}},
      {"root outside",
       [&] {
         return std::vector{
             with(collective(5, 5, 4), [](Node& n) { n.attributes.push_back(attribute("root", 3)); })};
       },
       {"root 3 is not in the group"}},
      {"some dimensions",
       [&] {
         return std::vector{with(collective(5, 0, 4), [](Node& n) {
           n.attributes.push_back(
               Message().text(1, "involved_dim").text(28, Message().packed(1, {1, 0}).bytes()).bytes());
         })};
       },
       {"involved_dim"}},
      {"foreign source",
       [] { return std::vector{point_to_point(5, true, 1, 0, 4, 0)}; },
       {"comm_src is 1", "rank 0"}},
      {"too long",
       [] { return std::vector{compute(5, std::numeric_limits<std::uint64_t>::max())}; },
       {"node 5", "duration_micros is 18446744073709551615"}},
  };
  for (const BadNode& bad : cases) {
    SCOPED_TRACE(bad.name);
    const std::vector<Node> nodes = bad.nodes();
    rank(0, nodes);
    rank(1, nodes);
    expect_refusal(bad.words);
  }
}

TEST_F(Chakra, RanksThatDisagreeAreNamedBoth) {
  rank(0, {collective(3, 0, 64)});
  rank(1, {collective(4, 0, 32)});
  expect_refusal({"t.1.et: node 4 (coll)", "comm_size 32", "t.0.et: node 3 (coll)", "64"});
  rank(1, {collective(4, 2, 64)});
  expect_refusal({"t.1.et: node 4", "is all_gather", "t.0.et: node 3", "is all_reduce"});
  rank(1, {compute(1, 1)});
  expect_refusal({"t.1.et", "has 0 collectives", "of all ranks", "t.0.et: node 3", "no partner"});
  rank(1, {groups(8, R"([{"pg_name":"x","ranks":[0]}])"), collective(4, 0, 64)});
  rank(0, {groups(7, R"([{"pg_name":"x","ranks":[1]}])"), collective(3, 0, 64)});
  expect_refusal({"t.1.et: node 8", "\"x\"", "t.0.et: node 7"});
  rank(0, {point_to_point(1, true, 0, 1, 64, 2)});
  rank(1, {point_to_point(1, false, 0, 1, 63, 2)});
  expect_refusal({"npu1.1.recv", "63", "npu0.1.send", "64"});
  rank(1, {point_to_point(1, false, 0, 1, 64, 3)});
  expect_refusal({"npu0.1.send", "has no recv"});
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
