#include "tb/configuration/configuration.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "hw/core/error.h"
#include "tb/configuration/effective.h"
#include "tb/configuration/parameter.h"
#include "tb/configuration/value_text.h"
#include "tb/tests/configuration/parsed.h"

namespace fredsim::tb {
namespace {

using hw::Bandwidth;
using hw::Capacity;
using hw::Time;
using hw::VirtualChannel;

const hw::Capacities paper_buffers{Capacity::bytes(24 * kibi), Capacity::bytes(24 * kibi),
                                   Capacity::bytes(24 * kibi), Capacity::bytes(2 * kibi)};

TEST(Configuration, DefaultsAreThoseOfThePaper) {
  const Configuration c = parse("system: switch\n");
  EXPECT_EQ(c.system, SystemKind::single_switch);
  EXPECT_EQ(c.seed, 1u);
  EXPECT_EQ(c.sw.ports, 8u);
  EXPECT_EQ(c.sw.middle, 3u);
  EXPECT_EQ(c.sw.abstraction, Abstraction::whole_switch);
  EXPECT_EQ(c.sw.hop_latency, Time::fs(200'000));
  EXPECT_EQ(c.sw.reconfiguration, Time::fs(200'000));
  EXPECT_TRUE(c.sw.preemption);
  EXPECT_EQ(c.sw.staging, 3u);
  EXPECT_EQ(c.sw.internal_bandwidth, Bandwidth::bytes_per_second(3'000'000'000'000));
  EXPECT_EQ(c.sw.route_memory, 1536u);
  EXPECT_EQ(c.sw.conflict, ConflictPolicy::block);
  EXPECT_EQ(c.packet.bytes, 4096u);
  EXPECT_EQ(c.packet.header, 6u);
  EXPECT_EQ(c.packet.control, 512u);
  EXPECT_EQ(c.packet.payload(), 4090u);
  EXPECT_EQ(c.npu_link().bandwidth, Bandwidth::bytes_per_second(3'000'000'000'000));
  EXPECT_EQ(c.npu_link().latency, Time::fs(3'300'000));
  EXPECT_EQ(c.npu_buffers(), paper_buffers);
  EXPECT_EQ(c.switch_buffers(1, PortSide::down), paper_buffers);
  EXPECT_EQ(c.npu.flops, 989.4e12);
  EXPECT_EQ(c.data.pattern, hw::PatternKind::exact);
  EXPECT_EQ(c.data.dtype, hw::DType::fp16);
}

TEST(Configuration, EveryValueReachesItsField) {
  const Configuration c = parse(R"(
system: switch
seed: 9007199254740991
switch: {ports: 6, middle: 2, abstraction: microswitch, hop_latency: 1 ps, reconfiguration: 0 s,
         preemption: false, staging: 1, internal_bandwidth: 5 TB/s, route_memory: 3 B, conflict: fail}
packet: {bytes: 1 KiB, header: 10 B, control: 64 B}
link: {npu_bandwidth: 800 Gb/s, latency: 7 ns, npu.latency: 5 ns}
buffer:
  mp: 1 KiB
  pp: 2 KiB
  dp: 3 KiB
  control: 64 B
  npu: {mp: 4 KiB, pp: 5 KiB, dp: 6 KiB, control: 7 KiB}
  l1.down: {mp: 8 KiB, pp: 9 KiB, dp: unlimited, control: 11 KiB}
npu.flops: 2.5e13
data: {pattern: rounding, dtype: bf16}
)");
  EXPECT_EQ(c.seed, 9007199254740991u);
  EXPECT_EQ(c.sw.ports, 6u);
  EXPECT_EQ(c.sw.middle, 2u);
  EXPECT_EQ(c.sw.abstraction, Abstraction::microswitch);
  EXPECT_EQ(c.sw.hop_latency, Time::fs(1000));
  EXPECT_EQ(c.sw.reconfiguration, Time());
  EXPECT_FALSE(c.sw.preemption);
  EXPECT_EQ(c.sw.staging, 1u);
  EXPECT_EQ(c.sw.internal_bandwidth, Bandwidth::bytes_per_second(5'000'000'000'000));
  EXPECT_EQ(c.sw.route_memory, 3u);
  EXPECT_EQ(c.sw.conflict, ConflictPolicy::fail);
  EXPECT_EQ(c.packet.bytes, 1024u);
  EXPECT_EQ(c.packet.header, 10u);
  EXPECT_EQ(c.packet.control, 64u);
  EXPECT_EQ(c.npu_link().bandwidth, Bandwidth::bits_per_second(800'000'000'000));
  EXPECT_EQ(c.links.latency, Time::fs(7'000'000));
  EXPECT_EQ(c.npu_link().latency, Time::fs(5'000'000));
  EXPECT_EQ(c.buffer.common[0], Capacity::bytes(1 * kibi));
  EXPECT_EQ(c.buffer.common[1], Capacity::bytes(2 * kibi));
  EXPECT_EQ(c.buffer.common[2], Capacity::bytes(3 * kibi));
  EXPECT_EQ(c.buffer.common[3], Capacity::bytes(64));
  EXPECT_EQ(c.npu_buffers()[hw::index(VirtualChannel::mp)], Capacity::bytes(4 * kibi));
  EXPECT_EQ(c.npu_buffers()[hw::index(VirtualChannel::pp)], Capacity::bytes(5 * kibi));
  EXPECT_EQ(c.npu_buffers()[hw::index(VirtualChannel::dp)], Capacity::bytes(6 * kibi));
  EXPECT_EQ(c.npu_buffers()[hw::index(VirtualChannel::control)], Capacity::bytes(7 * kibi));
  EXPECT_EQ(c.switch_buffers(1, PortSide::down)[hw::index(VirtualChannel::mp)], Capacity::bytes(8 * kibi));
  EXPECT_EQ(c.switch_buffers(1, PortSide::down)[hw::index(VirtualChannel::pp)], Capacity::bytes(9 * kibi));
  EXPECT_EQ(c.switch_buffers(1, PortSide::down)[hw::index(VirtualChannel::dp)], Capacity::unlimited());
  EXPECT_EQ(c.switch_buffers(1, PortSide::down)[hw::index(VirtualChannel::control)],
            Capacity::bytes(11 * kibi));
  EXPECT_EQ(c.npu.flops, 2.5e13);
  EXPECT_EQ(c.data.pattern, hw::PatternKind::rounding);
  EXPECT_EQ(c.data.dtype, hw::DType::bf16);
}

TEST(Configuration, DottedAndNestedKeysAreTheSame) {
  const auto expected = values(parse("system: switch\nbuffer.l1.down.dp: 8 KiB\nbuffer.mp: 16 KiB\n"));
  for (const char* text :
       {"system: switch\nbuffer:\n  l1:\n    down:\n      dp: 8 KiB\n  mp: 16 KiB\n",
        "system: switch\nbuffer: {l1.down: {dp: 8 KiB}, mp: 16 KiB}\n",
        "system: switch\nbuffer.l1: {down.dp: 8 KiB}\nbuffer: {mp: 16 KiB}\n",
        "{\"system\": \"switch\", \"buffer\": {\"l1\": {\"down\": {\"dp\": \"8 KiB\"}}, \"mp\": \"16KiB\"}}",
        "# d\xc3\xa9j\xc3\xa0 'vu\r\n\"system\": 'switch' # isn't it\r\nbuffer: {l1.down.dp: '8 KiB', mp: "
        "\"16\\u0020KiB\"}\r\n",
        "---\nsystem: switch # one\r\nbuffer.l1.down.dp: 8   KiB\r\nbuffer.mp: 16 KiB\r\n...\n",
        "\xef\xbb\xbfsystem: switch\nbuffer.l1.down.dp: 8 KiB\nbuffer.mp: 16 KiB\n"}) {
    EXPECT_EQ(values(parse(text)), expected) << text;
  }
}

TEST(Configuration, ClassesTakeWhatTheyDoNotHaveFromTheCommonValue) {
  const Configuration c =
      parse("system: switch\nbuffer.npu.dp: 40 KiB\nlink.npu_bandwidth: 1 TB/s\n", {"buffer.dp=8 KiB"});
  EXPECT_EQ(c.npu_buffers()[hw::index(VirtualChannel::dp)], Capacity::bytes(40 * kibi));
  EXPECT_EQ(c.switch_buffers(1, PortSide::down)[hw::index(VirtualChannel::dp)], Capacity::bytes(8 * kibi));
  EXPECT_EQ(c.sw.internal_bandwidth, Bandwidth::bytes_per_second(1'000'000'000'000));
}

TEST(Configuration, SetWinsOverFileAndMayHoldEqualsAndBlanks) {
  const Configuration c = parse("system: switch\nseed: 5\n", {" seed = 7 ", "link.latency=1ns"});
  EXPECT_EQ(c.seed, 7u);
  EXPECT_EQ(c.links.latency, Time::fs(1'000'000));
  EXPECT_EQ(parse("seed: 5\n", {"system=switch"}).seed, 5u);
}

TEST(Configuration, SmallestWorkingSizesAreAccepted) {
  const Configuration c = parse("system: switch\npacket: {bytes: 10 B, header: 6 B, control: 6 B}\n",
                                {"buffer.mp=10 B", "buffer.pp=10 B", "buffer.dp=10 B", "buffer.control=6 B"});
  EXPECT_EQ(c.packet.payload(), 4u);
}

TEST(Configuration, EffectiveValuesNameTheirOrigin) {
  const Configuration c = parse("system: switch\nbuffer:\n  dp: 8 KiB\n", {"seed=3"});
  std::map<std::string, EffectiveValue> by_key;
  for (const EffectiveValue& value : c.effective()) by_key[value.key] = value;
  EXPECT_EQ(by_key.at("system").from, "c.yaml:1:9");
  EXPECT_EQ(by_key.at("buffer.dp").from, "c.yaml:3:7");
  EXPECT_EQ(by_key.at("buffer.dp").origin, Origin::file);
  EXPECT_EQ(by_key.at("buffer.npu.dp").from, "as buffer.dp");
  EXPECT_EQ(by_key.at("buffer.npu.dp").value, "8 KiB");
  EXPECT_EQ(by_key.at("buffer.npu.dp").origin, Origin::other_parameter);
  EXPECT_EQ(by_key.at("seed").from, "--set");
  EXPECT_EQ(by_key.at("seed").origin, Origin::set_option);
  EXPECT_EQ(by_key.at("packet.bytes").from, "default");
  EXPECT_EQ(by_key.at("packet.bytes").origin, Origin::declared_default);
}

TEST(Configuration, JsonHasNumbersAndBooleansAsSuch) {
  const nlohmann::ordered_json json = effective_json(parse("system: switch\n"));
  EXPECT_EQ(json.size(), parse("system: switch\n").effective().size());
  EXPECT_EQ(json.begin().key(), "system");
  EXPECT_TRUE(json["switch.ports"].is_number_unsigned());
  EXPECT_TRUE(json["switch.preemption"].is_boolean());
  EXPECT_TRUE(json["npu.flops"].is_number_float());
  EXPECT_EQ(json["link.npu_bandwidth"], "3 TB/s");
}

/// Another value than the default, still in range and in harmony with all other defaults.
std::string other_value(const Parameter& parameter) {
  if (!parameter.default_from.empty() && parameter.type == ValueType::enumeration)
    return parameter.choices.back();
  switch (parameter.type) {
    case ValueType::time:
      return "1.25 ns";
    case ValueType::bandwidth:
      return "123.456 GB/s";
    case ValueType::capacity:
      return parameter.default_text == "unlimited" ? "80 GB" : "unlimited";
    case ValueType::bytes:
      return parameter.key == "packet.header" ? "16 B" : "1 KiB";
    case ValueType::integer:
      return parameter.default_text == "4" || parameter.default_from == "tree.planes" ? "2" : "4";
    case ValueType::real:
      return parameter.key == "faults.bit_error_rate" ? "1e-9" : "1.5e9";
    case ValueType::boolean:
      return "false";
    case ValueType::faults:
      return "[{npu: 0, dies: 1 us}]";
    case ValueType::enumeration: {
      for (const std::string& choice : parameter.choices) {
        if (choice != parameter.default_text) return choice;
      }
      break;
    }
    case ValueType::text:
    case ValueType::file:
      return "other";
  }
  return "";
}

TEST(Parameters, EachChangesItsOwnValueAndThoseThatFollowIt) {
  // Controllers fewer than one a leaf, so that every other value below leaves its switches with 64 ports at
  // most; every level there can be.
  const std::string tree = "system: tree\ntree: {levels: 6, children: 3, io_controllers: 16}\n";
  const std::string switched_on = "pressure.seed: 7\nswitch.route_miss: reload\n";
  for (const std::string& text : {"system: switch\n" + switched_on, tree + switched_on}) {
    const auto before = values(parse(text));
    for (const Parameter& parameter : parameters()) {
      if (parameter.required || !no_effect(parameter, parse(text)).empty()) continue;
      if (parse(text).given.count(parameter.key) > 0) continue;
      if (parameter.key == "transaction") continue;  // not with random pressure
      const std::string value = other_value(parameter);
      const Configuration c = parse(text, {parameter.key + "=" + value});
      for (const auto& [key, now] : values(c)) {
        const Parameter& other = *find_parameter(key);
        if (other.choose_default && &other != &parameter) continue;
        if (before.count(key) == 0) continue;  // plays a part only because of the change
        const bool follows = key == parameter.key || other.default_from == parameter.key;
        EXPECT_EQ(now != before.at(key), follows) << key << " after " << parameter.key << "=" << value;
      }
    }
  }
}

TEST(Parameters, InternalBandwidthIsThatOfTheFastestLink) {
  const auto origin_of = [](const std::string& text) {
    for (const EffectiveValue& value : parse(text).effective()) {
      if (value.key == "switch.internal_bandwidth") return value.value + " " + value.from;
    }
    return std::string();
  };
  EXPECT_EQ(origin_of("system: switch\nlink.npu_bandwidth: 1 TB/s\n"), "1 TB/s as link.npu_bandwidth");
  EXPECT_EQ(origin_of("system: tree\n"), "3 TB/s as link.npu_bandwidth");
  const std::string slow = "system: tree\nlink: {npu_bandwidth: 1 TB/s, plane_bandwidth: 500 GB/s}\n";
  EXPECT_EQ(origin_of(slow), "1 TB/s as link.npu_bandwidth");
  EXPECT_EQ(origin_of(slow + "link.io_bandwidth: 2 TB/s\n"), "2 TB/s as link.io_bandwidth");
  EXPECT_EQ(origin_of(slow + "link.io_bandwidth: 2 TB/s\ntree.io_controllers: 0\n"),
            "1 TB/s as link.npu_bandwidth");
  EXPECT_EQ(origin_of(slow + "link.l3.plane_bandwidth: 4 TB/s\ntree.levels: 3\n"),
            "4 TB/s as link.l3.plane_bandwidth");
  EXPECT_EQ(origin_of(slow + "switch.internal_bandwidth: 9 TB/s\n"), "9 TB/s c.yaml:3:28");
}

TEST(Parameters, DeclarationsAreCompleteAndConsistent) {
  std::map<std::string, int> keys;
  for (const Parameter& parameter : parameters()) {
    SCOPED_TRACE(parameter.key);
    EXPECT_EQ(++keys[parameter.key], 1);
    EXPECT_EQ(find_parameter(parameter.key), &parameter);
    EXPECT_EQ(parameter.meaning.back(), '.');
    EXPECT_FALSE(allowed_text(parameter).empty());
    const int defaults =
        int(parameter.required) + int(!parameter.default_text.empty()) + int(!parameter.default_from.empty());
    EXPECT_EQ(defaults, 1);
    EXPECT_EQ(parameter.default_text.empty(), parameter.source.empty() || !parameter.default_from.empty());
    EXPECT_EQ(parameter.choices.empty(), parameter.type != ValueType::enumeration);
    Configuration c;
    if (!parameter.default_text.empty()) {
      EXPECT_NO_THROW(parameter.assign(c, parameter.default_text));
    }
    if (!parameter.default_from.empty()) {
      const Parameter* from =
          find_parameter(parameter.choose_default ? parameter.choose_default(c) : parameter.default_from);
      ASSERT_NE(from, nullptr);
      // The reader fills in followers in one pass after all others.
      EXPECT_TRUE(from->default_from.empty());
      EXPECT_EQ(from->type, parameter.type);
    }
    for (const std::string& choice : parameter.choices) {
      EXPECT_NO_THROW(parameter.assign(c, choice));
      EXPECT_EQ(parameter.print(c), choice);
    }
  }
}

TEST(Parameters, RangesIncludeTheirEnds) {
  for (const Parameter& parameter : parameters()) {
    if (parameter.minimum.empty()) continue;
    SCOPED_TRACE(parameter.key);
    Configuration c;
    EXPECT_NO_THROW(parameter.assign(c, parameter.minimum));
    const std::string printed = parameter.print(c);
    EXPECT_NO_THROW(parameter.assign(c, parameter.maximum));
    EXPECT_NE(parameter.print(c), printed);
    if (parameter.type == ValueType::integer) {
      EXPECT_THROW(parameter.assign(c, std::to_string(parse_integer(parameter.maximum) + 1)), hw::InputError);
    }
    // Refused values leave the configuration as it was.
    const std::string last = parameter.print(c);
    EXPECT_THROW(parameter.assign(c, "nonsense"), hw::InputError);
    EXPECT_EQ(parameter.print(c), last);
  }
}

TEST(Parameters, PrintedConfigurationReadsBackTheSame) {
  const Configuration c =
      parse("system: switch\nlink.latency: 3.333333 ns\nnpu.flops: 1.2345678901234567e18\n",
            {"buffer.dp=unlimited", "switch.internal_bandwidth=10 Gb/s", "packet.header=7 B"});
  std::string text;
  for (const auto& [key, value] : values(c)) text += key + ": " + value + "\n";
  EXPECT_EQ(values(parse(text)), values(c));
}

TEST(ValueText, RealsPrintShortAndReadBackExactly) {
  EXPECT_EQ(real_to_string(989.4e12), "989.4e12");
  EXPECT_EQ(real_to_string(1e15), "1e15");
  EXPECT_EQ(real_to_string(1e6), "1e6");
  EXPECT_EQ(real_to_string(0.25), "0.25");
  EXPECT_EQ(real_to_string(1234), "1234");
  double value = 1e6;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(parse_real(real_to_string(value)), value);
    value *= 1.0351;
  }
}

TEST(SingleSwitch, FileStatesTheDefaults) {
  const Configuration c = load_configuration(FREDSIM_SOURCE_DIR "/tb/configs/single_switch.yaml");
  EXPECT_EQ(values(c), values(parse("system: switch\n")));
}

}  // namespace
}  // namespace fredsim::tb
