#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "hw/observe/gtkwave_layout.h"
#include "tb/tests/observe/recording.h"
#include "tb/tests/observe/vcd_reader.h"

namespace fredsim::hw::test {
namespace {

/// What GTKWave would make of a save file.
struct SaveFile {
  std::map<std::string, std::uint64_t> flags;  ///< by the signal's path
  std::map<std::string, std::string> alias;
  std::map<std::string, std::string> keys;
  std::vector<std::string> groups;  ///< paths, as opened
  double zoom = 0;
  std::int64_t marker = -1;
  std::vector<std::string> complaints;
};

SaveFile parse_layout(const std::string& text) {
  SaveFile file;
  std::istringstream in(text);
  std::uint64_t flags = 0;
  std::vector<std::string> open;
  for (std::string line; std::getline(in, line);) {
    if (line[0] == '[') {
      const std::size_t close = line.find(']');
      file.keys[line.substr(1, close - 1)] = close + 2 <= line.size() ? line.substr(close + 2) : "";
    } else if (line[0] == '*') {
      std::istringstream(line.substr(1)) >> file.zoom >> file.marker;
    } else if (line[0] == '@') {
      flags = std::stoull(line.substr(1), nullptr, 16);
    } else if (line[0] == '-') {
      if ((flags & 0x800000) != 0) {
        open.push_back(line.substr(1));
        std::string path;
        for (const std::string& name : open) path += (path.empty() ? "" : ".") + name;
        file.groups.push_back(path);
      } else if ((flags & 0x1000000) != 0) {
        if (open.empty() || open.back() != line.substr(1))
          file.complaints.push_back("group closed wrongly " + line);
        if (!open.empty()) open.pop_back();
      }
    } else {
      std::string path = line;
      std::string alias;
      if (line[0] == '+') {
        const std::size_t brace = line.find("} ");
        alias = line.substr(2, brace - 2);
        path = line.substr(brace + 2);
      }
      if (!file.flags.emplace(path, flags).second) file.complaints.push_back("twice: " + path);
      file.alias[path] = alias;
      std::string group;
      for (const std::string& name : open) group += name + ".";
      if (path.compare(0, group.size(), group) != 0) file.complaints.push_back(path + " in group " + group);
    }
  }
  if (!open.empty()) file.complaints.push_back("group left open");
  return file;
}

TEST(Layout, ShowsEverySignalOfTheDumpOnceInItsGroup) {
  const Folder folder;
  Simulation simulation;
  simulation.recorder.record({folder / "wave.one.vcd"});
  std::vector<Probe> probes;
  for (int s = 0; s < 5; ++s) {
    probes.emplace_back(simulation.recorder,
                        ProbeInfo{fmt::format("l1_{}.class", s), "", "", ProbeKind::state});
    for (int i = 0; i < 60; ++i) {
      probes.emplace_back(
          simulation.recorder,
          ProbeInfo{fmt::format("l1_{}.in{}.vc_{}.occupancy", s, i / 4, i % 4), "B", "", ProbeKind::level});
    }
    probes.emplace_back(simulation.recorder,
                        ProbeInfo{fmt::format("npu{}.operation", s), "", "", ProbeKind::state});
  }
  simulation.recorder.start();
  simulation.recorder.finish(Time::fs(1000));
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"wave.one.gtkw", "wave.one.vcd"}));
  const SaveFile layout = parse_layout(read_file(folder / "wave.one.gtkw"));
  const VcdDump dump = parse_vcd(read_file(folder / "wave.one.vcd"));
  for (const std::string& complaint : layout.complaints) ADD_FAILURE() << complaint;
  EXPECT_EQ(layout.flags.size(), dump.variables.size());
  for (const auto& [path, variable] : dump.variables) EXPECT_EQ(layout.flags.count(path), 1u) << path;
  EXPECT_EQ(layout.groups.size(), 5u * (1 + 15));
  EXPECT_EQ(layout.groups.at(1), "l1_0.in0");
  EXPECT_EQ(layout.alias.at("l1_2.in3.vc_1.occupancy"), "vc_1 occupancy (B)");
  EXPECT_EQ(layout.alias.at("npu3.operation"), "npu3 operation");
  EXPECT_EQ(layout.keys.at("dumpfile"), "\"wave.one.vcd\"");
  EXPECT_EQ(layout.keys.at("savefile"), "\"wave.one.gtkw\"");
}

TEST(Layout, TheRadixFollowsTheKind) {
  Simulation simulation;
  add_one_of_each(simulation);
  std::vector<const ProbeInfo*> signals;
  for (const Probe& probe : simulation.probes) signals.push_back(&probe.info());
  const SaveFile layout = parse_layout(
      gtkwave_layout("w.vcd", "w.gtkw", signals, Time::fs(1000), Time::fs(9000), Time::fs(5000)));
  EXPECT_EQ(layout.flags.at("switch.in3.vc_dp.packet"), 0x420u);       // signed decimal
  EXPECT_EQ(layout.flags.at("switch.in3.vc_dp.occupancy"), 0x88024u);  // decimal, analog step, full scale
  EXPECT_EQ(layout.flags.at("switch.stalled"), 0x28u);                 // binary
  EXPECT_EQ(layout.flags.at("npu0.operation"), 0x820u);                // ASCII
  EXPECT_EQ(layout.keys.at("timestart"), "1000");
  EXPECT_EQ(layout.marker, 5000);
  // 2^-zoom time units take 200 pixels: the span fits the waves' part of the window, and fills most of it.
  const double pixels = 8000 * 200 * std::exp2(layout.zoom);
  EXPECT_GT(pixels, 600);
  EXPECT_LT(pixels, 780);
}

TEST(Layout, MarksTheTriggerOrTheEndOfALastStretch) {
  for (const bool trigger : {true, false}) {
    const Folder folder;
    Simulation simulation;
    WaveformOptions options;
    options.path = folder / "w.vcd";
    if (trigger) {
      options.on = "stall";
    } else {
      options.last = Time::fs(300);
    }
    simulation.recorder.record(options);
    add_one_of_each(simulation);
    simulation.recorder.start();
    simulation.recorder.event("stall", Time::fs(200));
    simulation.change(1, 950, 3);
    simulation.recorder.finish(Time::fs(1000));
    const SaveFile layout = parse_layout(read_file(folder / "w.gtkw"));
    EXPECT_EQ(layout.marker, trigger ? 200 : 1000);
    EXPECT_EQ(layout.keys.at("timestart"), trigger ? "200" : "700");
  }
}

}  // namespace
}  // namespace fredsim::hw::test
