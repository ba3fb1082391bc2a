#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "hw/core/error.h"
#include "tb/configuration/configuration.h"
#include "tb/configuration/fault_script.h"
#include "tb/configuration/link_names.h"
#include "tb/tests/configuration/parsed.h"
#include "tb/tests/support/folder.h"

namespace fredsim::tb {
namespace {

std::string error_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    parse(text, sets);
  } catch (const hw::InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_error(const std::string& text, const std::vector<std::string>& parts) {
  const std::string error = error_of(text);
  for (const std::string& part : parts) EXPECT_NE(error.find(part), std::string::npos) << error;
}

const std::string all_kinds =
    "[{link: npu0_to_switch, packets: [7, 12, 100-149]}, {link: switch_to_npu1, last_of: dp0/1}, "
    "{link: switch_to_npu2, acks: [3]}, {link: switch_to_npu2, nacks: [0-2]}, "
    "{link: npu4_to_switch, down: [1 us, 2 us]}, {link: npu5_to_switch, down: [3 us]}, "
    "{npu: 3, stalls: [5 us, 9 us]}, {npu: 6, dies: 10 us}]";

TEST(FaultScript, PrintsAsItIsWritten) {
  EXPECT_EQ(fault_script_text(parse_fault_script(all_kinds, "s")), all_kinds);
  EXPECT_EQ(fault_script_text(parse_fault_script("[{link: 'a b', packets: 3}]", "s")),
            "[{link: 'a b', packets: [3]}]");
}

TEST(FaultScript, MayBeAListATextOrAFile) {
  const test::Folder folder;
  const std::string script = folder / "script.yaml";
  std::ofstream(script) << "- {link: npu0_to_switch, packets: [7]}\n- npu: 3\n  dies: 1 us\n";
  const std::string text = "[{link: npu0_to_switch, packets: [7]}, {npu: 3, dies: 1 us}]";
  for (const Configuration& c :
       {parse("system: switch\nfaults:\n  script:\n    - {link: npu0_to_switch, packets: [7]}\n    - npu: 3\n"
              "      dies: 1 us\n"),
        parse("system: switch\nfaults.script: '" + text + "'\n"),
        parse("system: switch\n", {"faults.script=" + text}),
        parse("system: switch\nfaults.script: " + script),
        parse("system: switch\n", {"faults.script=" + script})}) {
    EXPECT_EQ(fault_script_text(c.faults.script), text);
  }
}

TEST(FaultScript, IsRefusedWithThePlaceOfTheEntry) {
  const auto script = [](const std::string& entry) { return "system: switch\nfaults.script:\n  - " + entry; };
  expect_error(script("{link: npu0_to_swich, packets: [7]}\n"),
               {"c.yaml:3:5: faults.script: there is no link 'npu0_to_swich'", "'npu0_to_switch'"});
  expect_error(script("{npu: 8, dies: 1 us}\n"), {"c.yaml:3:5: faults.script: there is no NPU 8"});
  expect_error(script("{npu: 1, dies: 1}\n"), {"c.yaml:3:20: faults.script:", "no unit"});
  expect_error(script("{npu: 1, packets: [1]}\n"), {"packets goes with link"});
  expect_error(script("{link: npu0_to_switch, dies: 1 us}\n"), {"dies goes with npu"});
  expect_error(script("{link: npu0_to_switch, packets: [9-7]}\n"),
               {"c.yaml:3:38: ", "ends before it begins"});
  expect_error(script("{link: npu0_to_switch, packets: []}\n"), {"the list is empty"});
  expect_error(script("{link: npu0_to_switch, packets: {a: 1}}\n"), {"is due here"});
  expect_error(script("{link: npu0_to_switch, packet: [1]}\n"), {"'packet' is unknown", "'packets'"});
  expect_error(script("{link: npu0_to_switch}\n"), {"does not say what goes wrong"});
  expect_error(script("{packets: [1]}\n"), {"neither a link nor an NPU"});
  expect_error(script("{link: npu0_to_switch, packets: [1], acks: [1]}\n"), {"make two entries"});
  expect_error(script("{link: npu0_to_switch, down: [2 us, 1 us]}\n"), {"is not after"});
  expect_error(script("{link: npu0_to_switch, down: [1 us, 2 us, 3 us]}\n"), {"not more"});
  expect_error(script("7\n"), {"is not an entry"});
  expect_error("system: switch\nfaults.script: nowhere.yaml\n", {"c.yaml:2:16: ", "cannot be opened"});
  expect_error("system: switch\nfaults.script: ''\n", {"c.yaml:2:16: "});
  expect_error("system: switch\nfaults.script:\n", {"neither a list nor the name of a file"});
}

TEST(Faults, NeedReliability) {
  expect_error("system: switch\nreliability: none\nfaults.bit_error_rate: 1e-9\n",
               {"c.yaml:2:14: reliability: with none"});
  EXPECT_EQ(parse("system: switch\n").reliability(), Reliability::none);
  EXPECT_NE(parse("system: switch\nfaults.bit_error_rate: 1e-9\n").reliability(), Reliability::none);
  expect_error("system: switch\nnpu.retries: 3\n", {"npu.retries: has no effect without reliable delivery"});
  EXPECT_EQ(error_of("system: switch\nnpu.retries: 3\nreliability: link\n"), "accepted");
  EXPECT_EQ(error_of("system: switch\nnpu.timeout: 3 us\nreliability: flow\n"), "accepted");
  expect_error("system: switch\nnpu.timeout: 3 us\nreliability: link\n",
               {"npu.timeout: has no effect but with reliability: flow"});
}

TEST(Faults, AreMadeGoodBySourcesUnlessThereAreNoSwitches) {
  const std::string faults = "\nfaults.bit_error_rate: 1e-9\n";
  EXPECT_EQ(parse("system: switch" + faults).reliability(), Reliability::flow);
  EXPECT_EQ(parse("system: tree" + faults).reliability(), Reliability::flow);
  EXPECT_EQ(parse("system: mesh" + faults).reliability(), Reliability::link);
  EXPECT_EQ(parse("system: tree\nreliability: link" + faults).reliability(), Reliability::link);
  expect_error("system: mesh\nreliability: flow\n",
               {"c.yaml:2:14: reliability: flow needs switches", "auto and link are allowed"});
}

TEST(LinkNames, AreThoseOfBothDirections) {
  const std::vector<std::string> names = link_names(parse("system: tree\n"));
  EXPECT_EQ(names.size(), 2u * (20 + 18 + 5 * 4));
  EXPECT_EQ(names.front(), "npu0_to_l1_0");
  EXPECT_EQ(names.back(), "l2_3_to_l1_4");
}

}  // namespace
}  // namespace fredsim::tb
