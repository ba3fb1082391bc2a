// Chakra traces that cannot be imported, with the words that the user must get.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tb/tests/traces/chakra_files.h"
#include "tb/tests/traces/workloads_equal.h"

namespace fredsim::trace::testing {
namespace {

using BadChakra = Chakra;

TEST_F(BadChakra, MissingFiles) {
  EXPECT_FALSE(is_chakra_prefix(folder_ / "t"));
  expect_refusal({"there is no Chakra trace", "t.0.et"});
  rank(0, {compute(1, 1)});
  rank(2, {compute(1, 1)});
  expect_refusal({"t.1.et is missing", "up to rank 2"});
  std::filesystem::remove(folder_ / "t.0.et");
  expect_refusal({"t.0.et is missing"});
}

TEST_F(BadChakra, OtherFilesBesideAreNoRanks) {
  rank(0, {compute(1, 1)});
  for (const char* name :
       {"t.01.et", "t.x.et", "t..et", "t.1.et.txt", "t2.1.et", "t.-1.et", "t.99999999999.et"}) {
    write_file(folder_ / name, "x");
  }
  EXPECT_EQ(import().npus, 1u);
}

TEST_F(BadChakra, TwoFilesForARank) {
  rank(0, {compute(1, 1)});
  write_file(folder_ / "t.0.et.gz", file_of({compute(1, 1)}), true);
  expect_refusal({"two files for rank 0"});
}

TEST_F(BadChakra, DamagedFiles) {
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

TEST_F(BadChakra, EveryCutOffFileIsRefusedOrLacksWholeNodesOnly) {
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

TEST_F(BadChakra, GarbageNeverCrashes) {
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

TEST_F(BadChakra, BadNodesAreRefusedByFileAndNode) {
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

TEST_F(BadChakra, RanksThatDisagreeAreNamedBoth) {
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

}  // namespace
}  // namespace fredsim::trace::testing
