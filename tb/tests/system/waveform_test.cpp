// Waveforms of the program: they show what the result says, whole or a window of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tb/tests/cli/program.h"
#include "tb/tests/observe/vcd_reader.h"
#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

using hw::test::parse_vcd;
using hw::test::VcdDump;
using hw::test::VcdVariable;

/// A run of three classes with small buffers, recorded in a folder of its own.
class Waveforms : public testing::Test {
 protected:
  Outcome record(const std::vector<std::string>& options, const std::string& name = "w.vcd") {
    std::vector<std::string> arguments = {
        "run",   single_switch(),   "--trace", sample("three_classes_8npus"),
        "--set", "buffer.dp=8 KiB", "--json",  folder_ / "r.json",
        "--vcd", folder_ / name};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = fredsim(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return outcome;
  }
  VcdDump dump(const std::string& name = "w.vcd") {
    VcdDump dump = parse_vcd(read_file(folder_ / name));
    EXPECT_EQ(dump.complaints, std::vector<std::string>());
    return dump;
  }
  nlohmann::json result() { return nlohmann::json::parse(read_file(folder_ / "r.json")); }
  std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  Folder folder_;
};

std::int64_t fs(const nlohmann::json& ns) {
  return std::llround(ns.get<double>() * 1e6);
}

/// What a reader of the dump computes of one signal.
struct Figures {
  double peak = 0, mean = 0;
  std::int64_t full_fs = 0;
};

Figures figures(const VcdVariable& variable, std::int64_t begin, std::int64_t end, double full) {
  Figures figures;
  double value = std::stod(variable.initial), integral = 0;
  std::int64_t since = begin;
  const auto advance = [&](std::int64_t at) {
    integral += value * static_cast<double>(at - since);
    if (value >= full) figures.full_fs += at - since;
    figures.peak = std::max(figures.peak, value);
    since = at;
  };
  for (const auto& [at, text] : variable.changes) {
    advance(at);
    value = std::stod(text);
  }
  advance(end);
  figures.mean = integral / static_cast<double>(end - begin);
  return figures;
}

TEST_F(Waveforms, ShowWhatTheResultSays) {
  record({});
  const VcdDump waveform = dump();
  const nlohmann::json json = result();
  const std::int64_t end = fs(json["simulated_ns"]);
  EXPECT_EQ(waveform.begin, 0);
  EXPECT_EQ(waveform.end, end);
  bool any_full = false;
  for (const auto& buffer : json["buffers"]) {
    SCOPED_TRACE(buffer.dump());
    const double packet = buffer["vc"] == "control" ? 512 : 4096;
    const double full = buffer["capacity_bytes"].get<double>() - packet + 1;
    const Figures read =
        figures(waveform.variables.at(buffer["name"].get<std::string>() + ".occupancy"), 0, end, full);
    EXPECT_EQ(read.peak, buffer["peak_bytes"].get<double>());
    EXPECT_NEAR(read.mean, buffer["mean_bytes"].get<double>(), 1e-9 * (1 + read.mean));
    EXPECT_EQ(read.full_fs, fs(buffer["full_ns"]));
    any_full = any_full || read.full_fs > 0;
  }
  EXPECT_TRUE(any_full);
  for (const auto& link : json["links"]) {
    SCOPED_TRACE(link.dump());
    const Figures read =
        figures(waveform.variables.at("links." + link["name"].get<std::string>() + ".busy"), 0, end, 1);
    EXPECT_NEAR(read.mean, link["utilization"].get<double>(), 1e-9);
  }
  // An NPU shows what it does: communication of a class that it is not computing through is exposed.
  for (const auto& npu : json["npus"]) {
    const std::string path = "npu" + npu["id"].dump() + ".vc_mp.operation";
    std::int64_t busy = 0, since = 0;
    std::string value = waveform.variables.at(path).initial;
    for (const auto& [at, next] : waveform.variables.at(path).changes) {
      if (value != "idle") busy += at - since;
      since = at;
      value = next;
    }
    EXPECT_EQ(busy, fs(npu["exposed_ns"]["mp"])) << path;
  }
}

// One full packet from NPU 2 to NPU 5. It takes s = 4096 B / 3 TB/s to enter a link, 3.3 ns through it, and
// 0.2 ns through each of the five micro-switches that lie between ports of FRED_3(8).
TEST_F(Waveforms, OfOnePacketFollowTheClosedForm) {
  write_file(folder_ / "t.jsonl", R"({"format":"fredsim-trace","version":1,"npus":8,"name":"t"}
{"id":"out","type":"send","npus":[2],"bytes":4090,"to":5}
{"id":"in","type":"recv","npus":[5],"bytes":4090,"from":2}
)");
  for (const char* abstraction : {"switch", "microswitch"}) {
    SCOPED_TRACE(abstraction);
    ASSERT_EQ(fredsim({"run", single_switch(), "--trace", folder_ / "t.jsonl", "--vcd", folder_ / "w.vcd",
                       "--set", std::string("switch.abstraction=") + abstraction})
                  .exit_code,
              0);
    const VcdDump waveform = dump();
    constexpr std::int64_t s = 1365334, latency = 3300000, hops = 5 * 200000;
    const auto expect_pulse = [&](const std::string& path, const std::string& rest, const std::string& pulse,
                                  std::int64_t from, std::int64_t to) {
      SCOPED_TRACE(path);
      const VcdVariable& variable = waveform.variables.at(path);
      if (from > 0) {
        EXPECT_EQ(variable.at(from - 1), rest);
      }
      EXPECT_EQ(variable.at(from), pulse);
      EXPECT_EQ(variable.at(to - 1), pulse);
      if (to <= waveform.end) {
        EXPECT_EQ(variable.at(to), rest);
      }
    };
    const std::int64_t at_switch = latency, leaves = at_switch + hops, arrives = leaves + latency;
    expect_pulse("links.npu2_to_switch.busy", "0", "1", 0, s);
    expect_pulse("npu2.vc_dp.credit", "24576", "20480", 0, at_switch + s + latency);
    expect_pulse("npu2.vc_dp.operation", "idle", "out", 0, s);
    expect_pulse("switch.in2.vc_dp.occupancy", "0", "4096", at_switch, at_switch + s);
    expect_pulse("links.switch_to_npu5.busy", "0", "1", leaves, leaves + s);
    expect_pulse("npu5.in.vc_dp.occupancy", "0", "4096", arrives, arrives + s);
    expect_pulse("npu5.vc_dp.operation", "idle", "in", 0, arrives + s);
    EXPECT_EQ(waveform.end, arrives + s);
    EXPECT_TRUE(waveform.variables.at("links.npu5_to_switch.busy").changes.empty());
  }
}

TEST_F(Waveforms, OfTwoRunsAreEqualByteForByte) {
  record({});
  const std::string vcd = read_file(folder_ / "w.vcd"), layout = read_file(folder_ / "w.gtkw");
  nlohmann::json first = result();
  record({});
  EXPECT_TRUE(read_file(folder_ / "w.vcd") == vcd);
  EXPECT_EQ(read_file(folder_ / "w.gtkw"), layout);
  nlohmann::json second = result();
  first.erase("performance");
  second.erase("performance");
  EXPECT_EQ(first.dump(), second.dump());
}

TEST_F(Waveforms, DoNotChangeTheRun) {
  record({});
  nlohmann::json with = result();
  ASSERT_EQ(fredsim({"run", single_switch(), "--trace", sample("three_classes_8npus"), "--set",
                     "buffer.dp=8 KiB", "--json", folder_ / "r.json"})
                .exit_code,
            0);
  nlohmann::json without = result();
  with.erase("performance");
  without.erase("performance");
  EXPECT_EQ(with, without);
}

TEST_F(Waveforms, SurviveTheToolsOfGtkwave) {
  const std::string to_fst = find_program("vcd2fst"), to_vcd = find_program("fst2vcd");
  if (to_fst.empty() || to_vcd.empty())
    GTEST_SKIP() << "vcd2fst and fst2vcd (Debian package gtkwave) are not installed";
  record({"--set", "switch.abstraction=microswitch"});
  const Outcome there = run_program(to_fst, {folder_ / "w.vcd", folder_ / "w.fst"});
  EXPECT_EQ(there.exit_code, 0);
  EXPECT_EQ(there.error, "");
  const Outcome back = run_program(to_vcd, {"-f", folder_ / "w.fst", "-o", folder_ / "back.vcd"});
  EXPECT_EQ(back.exit_code, 0);
  EXPECT_EQ(back.error, "");
  const VcdDump ours = dump();
  const VcdDump theirs = parse_vcd(read_file(folder_ / "back.vcd"));
  ASSERT_EQ(ours.variables.size(), theirs.variables.size());
  for (const auto& [path, variable] : ours.variables) {
    EXPECT_EQ(variable.initial, theirs.variables.at(path).initial) << path;
    EXPECT_EQ(variable.changes, theirs.variables.at(path).changes) << path;
  }
}

TEST_F(Waveforms, AreFstByTheirName) {
  if (find_program("vcd2fst").empty()) GTEST_SKIP() << "vcd2fst (Debian package gtkwave) is not installed";
  record({}, "w.fst");
  EXPECT_EQ(files(), (std::vector<std::string>{"r.json", "w.fst", "w.gtkw"}));
  EXPECT_NE(read_file(folder_ / "w.gtkw").find("\"w.fst\""), std::string::npos);
  record({});
  ASSERT_EQ(
      run_program(find_program("fst2vcd"), {"-f", folder_ / "w.fst", "-o", folder_ / "back.vcd"}).exit_code,
      0);
  const VcdDump ours = dump();
  const VcdDump theirs = parse_vcd(read_file(folder_ / "back.vcd"));
  for (const auto& [path, variable] : ours.variables) {
    EXPECT_EQ(variable.changes, theirs.variables.at(path).changes) << path;
  }
}

TEST_F(Waveforms, CanBeMoved) {
  record({});
  const std::string here = read_file(folder_ / "w.gtkw");
  EXPECT_EQ(here.find(folder_.path()), std::string::npos);
  EXPECT_NE(here.find("[dumpfile] \"w.vcd\""), std::string::npos);
}

TEST_F(Waveforms, HoldWhatTheGlobsSelect) {
  record({"--wave", "switch.in?.vc_dp.*", "--wave", "links.*.busy"});
  const VcdDump waveform = dump();
  EXPECT_EQ(waveform.variables.size(), 8u + 16u);
  EXPECT_EQ(waveform.variables.count("switch.in7.vc_dp.occupancy"), 1u);
  EXPECT_EQ(waveform.variables.count("links.switch_to_npu0.busy"), 1u);
  const std::string layout = read_file(folder_ / "w.gtkw");
  EXPECT_EQ(layout.find("vc_mp"), std::string::npos);
}

/// All that a window shows is what the whole waveform shows there.
void expect_part_of(const VcdDump& whole, const VcdDump& window) {
  ASSERT_EQ(whole.variables.size(), window.variables.size());
  for (const auto& [path, variable] : window.variables) {
    const VcdVariable& all = whole.variables.at(path);
    EXPECT_EQ(variable.initial, all.at(window.begin)) << path;
    std::vector<std::pair<std::int64_t, std::string>> inside;
    for (const auto& change : all.changes) {
      if (change.first > window.begin && change.first <= window.end) inside.push_back(change);
    }
    EXPECT_EQ(variable.changes, inside) << path;
  }
}

class WaveformWindows : public Waveforms {
 protected:
  void SetUp() override {
    record({}, "whole.vcd");
    whole_ = dump("whole.vcd");
    end_ = fs(result()["simulated_ns"]);
  }
  VcdDump window(const std::vector<std::string>& options) {
    record(options);
    VcdDump window = dump();
    expect_part_of(whole_, window);
    return window;
  }

  VcdDump whole_;
  std::int64_t end_ = 0;
};

TEST_F(WaveformWindows, LastFromATimeToATime) {
  const VcdDump part = window({"--wave-from", "100 ns", "--wave-to", "250 ns"});
  EXPECT_EQ(part.begin, 100000000);
  EXPECT_EQ(part.end, 250000000);
  EXPECT_GT(part.changes, 100u);
}

TEST_F(WaveformWindows, BeginAtAnOperation) {
  const nlohmann::json operation = find(result()["operations"], "dp1.0", "id");
  ASSERT_GT(fs(operation["start_ns"]), 0);
  const VcdDump part = window({"--wave-on", "op:dp1.0"});
  EXPECT_EQ(part.begin, fs(operation["start_ns"]));
  EXPECT_EQ(part.end, end_);
}

TEST_F(WaveformWindows, BeginAtAStall) {
  const VcdDump part = window({"--wave-on", "stall:20 ns"});
  EXPECT_GE(part.begin, 20000000);
  EXPECT_LT(part.begin, end_);
  EXPECT_EQ(part.end, end_);
}

TEST_F(WaveformWindows, AreTheLastStretch) {
  const VcdDump part = window({"--wave-last", "40 ns"});
  EXPECT_EQ(part.begin, end_ - 40000000);
  EXPECT_EQ(part.end, end_);
}

TEST_F(WaveformWindows, EndAtALimitOfSize) {
  const VcdDump part = window({"--wave-limit", "50 KB"});
  EXPECT_LE(std::filesystem::file_size(folder_ / "w.vcd"), 50000u);
  EXPECT_GT(std::filesystem::file_size(folder_ / "w.vcd"), 40000u);
  EXPECT_EQ(part.begin, 0);
  EXPECT_LT(part.end, end_);
  EXPECT_NE(record({"--wave-limit", "50 KB"}).error.find("w.vcd"), std::string::npos);
}

TEST_F(Waveforms, OfAnEventThatDoesNotComeAreMissedAloud) {
  const Outcome outcome = record({"--wave-on", "wrong-data"});
  EXPECT_NE(outcome.error.find("fredsim: warning: "), std::string::npos) << outcome.error;
  EXPECT_EQ(files(), std::vector<std::string>{"r.json"});
}

}  // namespace
}  // namespace fredsim::tb::test
