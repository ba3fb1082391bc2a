#include <string>
#include <vector>

#include "tb/configuration/declaration.h"
#include "tb/configuration/parameter.h"

namespace fredsim::tb {

template <>
const std::vector<std::string>& names_of<SystemKind>() {
  static const std::vector<std::string> names{"switch"};
  return names;
}
template <>
const std::vector<std::string>& names_of<Abstraction>() {
  static const std::vector<std::string> names{"microswitch", "switch"};
  return names;
}
template <>
const std::vector<std::string>& names_of<ConflictPolicy>() {
  static const std::vector<std::string> names{"fail", "block"};
  return names;
}
template <>
const std::vector<std::string>& names_of<hw::PatternKind>() {
  static const std::vector<std::string> names{"exact", "rounding"};
  return names;
}
template <>
const std::vector<std::string>& names_of<hw::DType>() {
  static const std::vector<std::string> names{"fp16", "bf16", "fp32", "int32"};
  return names;
}

namespace {

using List = std::vector<Parameter>;

void add_general(List& list) {
  list.push_back(enumeration(
                     "system", [](auto& c) -> auto& { return c.system; })
                     .required()
                     .means("What is simulated: switch is one FRED switch with an NPU at every port."));
  // 2^53 - 1 is the largest whole number that every reader of the JSON results holds exactly.
  list.push_back(integer(
                     "seed", [](auto& c) -> auto& { return c.seed; })
                     .range("0", "9007199254740991")
                     .defaults_to("1")
                     .means("Where all random numbers start: the same seed gives the same results.")
                     .source("free choice"));
}

void add_switch(List& list) {
  list.push_back(integer(
                     "switch.ports", [](auto& c) -> auto& { return c.sw.ports; })
                     .unit("ports")
                     .range("2", "64")
                     .defaults_to("8")
                     .means("Ports of the switch, the P of FRED_m(P), each with one NPU.")
                     .source("free choice"));
  list.push_back(
      integer(
          "switch.middle", [](auto& c) -> auto& { return c.sw.middle; })
          .unit("switches")
          .range("2", "4")
          .defaults_to("3")
          .means("Middle switches at every level of the recursion, the m of FRED_m(P): more of them route "
                 "more flows together.")
          .source("FRED sec. 5.3"));
  list.push_back(
      enumeration(
          "switch.abstraction", [](auto& c) -> auto& { return c.sw.abstraction; })
          .defaults_to("switch")
          .means("Whether every micro-switch is a module (for waveforms and modules of your own) or the "
                 "switch is one module with the same routing, equal in results and faster.")
          .source("free choice"));
  list.push_back(time(
                     "switch.hop_latency", [](auto& c) -> auto& { return c.sw.hop_latency; })
                     .range("0 ns", "1 s")
                     .defaults_to("0.2 ns")
                     .means("Time a packet's head takes through one micro-switch.")
                     .source("assumed"));
  list.push_back(time(
                     "switch.reconfiguration", [](auto& c) -> auto& { return c.sw.reconfiguration; })
                     .range("0 ns", "1 s")
                     .defaults_to("0.2 ns")
                     .means("Time the switch takes to go from one route set to another.")
                     .source("assumed: the header names the route set, so its memory is read ahead"));
  list.push_back(
      boolean(
          "switch.preemption", [](auto& c) -> auto& { return c.sw.preemption; })
          .defaults_to("true")
          .means("Whether the switch leaves the route set it serves as soon as all ports of a flow of a "
                 "higher class (MP > PP > DP) hold a packet.")
          .source("FRED sec. 5.4"));
  list.push_back(
      integer(
          "switch.staging", [](auto& c) -> auto& { return c.sw.staging; })
          .unit("packets")
          .range("1", "64")
          .defaults_to("3")
          .means("Packets that each output port can hold per virtual channel between interconnect and link.")
          .source("assumed"));
  list.push_back(bandwidth(
                     "switch.internal_bandwidth", [](auto& c) -> auto& { return c.sw.internal_bandwidth; })
                     .range("1 MB/s", "1000 TB/s")
                     .defaults_from("link.npu_bandwidth")
                     .means("Rate of a path through the interconnect, by default that of the fastest port.")
                     .source("assumed"));
  list.push_back(bytes(
                     "switch.route_memory", [](auto& c) -> auto& { return c.sw.route_memory; })
                     .range("0 B", "1 GiB")
                     .defaults_to("1.5 KiB")
                     .means("Memory of a switch for its route sets.")
                     .source("FRED sec. 6.2.3, its 1.5 KB read as KiB"));
  list.push_back(
      enumeration(
          "switch.conflict", [](auto& c) -> auto& { return c.sw.conflict; })
          .defaults_to("block")
          .means("What happens to flows that cannot be routed together: the run is refused (fail) or they "
                 "take turns (block).")
          .source("FRED sec. 5.3"));
}

void add_packet(List& list) {
  list.push_back(bytes(
                     "packet.bytes", [](auto& c) -> auto& { return c.packet.bytes; })
                     .range("1 B", "1 MiB")
                     .defaults_to("4 KiB")
                     .requires_that("room for the header and one element")
                     .means("Size of a data packet, header included.")
                     .source("FRED sec. 6.2.3"));
  list.push_back(bytes(
                     "packet.header", [](auto& c) -> auto& { return c.packet.header; })
                     .range("0 B", "1 MiB")
                     .defaults_to("6 B")
                     .requires_that("less than packet.bytes")
                     .means("Part of every packet that carries no data.")
                     .source("FRED sec. 6.2.3"));
  list.push_back(bytes(
                     "packet.control", [](auto& c) -> auto& { return c.packet.control; })
                     .range("1 B", "1 MiB")
                     .defaults_to("512 B")
                     .requires_that("at least packet.header")
                     .means("Size of a control packet (barrier, acknowledgement), header included.")
                     .source("FRED sec. 6.2.3"));
}

void add_link(List& list) {
  list.push_back(bandwidth(
                     "link.npu_bandwidth",
                     [](auto& c) -> auto& { return c.links.of_class[std::size_t(LinkClass::npu)].bandwidth; })
                     .range("1 MB/s", "1000 TB/s")
                     .defaults_to("3 TB/s")
                     .means("Rate of a link between an NPU and its switch, per direction.")
                     .source("FRED sec. 6.2"));
  list.push_back(
      time(
          "link.latency", [](auto& c) -> auto& { return c.links.latency; })
          .range("0 ns", "1 s")
          .defaults_to("3.3 ns")
          .means("Time a packet's head takes along a link, for all links that have no latency of their own.")
          .source("derived from FRED sec. 6.2.3: 24 KiB cover the round trip at 3 TB/s"));
  list.push_back(time(
                     "link.npu.latency",
                     [](auto& c) -> auto& { return c.links.of_class[std::size_t(LinkClass::npu)].latency; })
                     .range("0 ns", "1 s")
                     .defaults_from("link.latency")
                     .means("The same for the links between an NPU and its switch only."));
}

struct Channel {
  hw::VirtualChannel vc;
  std::string name;
  std::string default_capacity;
  std::string packet;
};

struct Ports {
  PortClass port_class;
  std::string key;
  std::string who;
};

void add_buffer(List& list) {
  const std::vector<Channel> channels{{hw::VirtualChannel::mp, "mp", "24 KiB", "packet.bytes"},
                                      {hw::VirtualChannel::pp, "pp", "24 KiB", "packet.bytes"},
                                      {hw::VirtualChannel::dp, "dp", "24 KiB", "packet.bytes"},
                                      {hw::VirtualChannel::control, "control", "2 KiB", "packet.control"}};
  const std::vector<Ports> classes{
      {PortClass::npu, "npu", "the receive side of NPUs"},
      {PortClass::l1_down, "l1.down", "the input ports of first-level switches that face NPUs"}};
  for (const Channel& channel : channels) {
    list.push_back(capacity(
                       "buffer." + channel.name,
                       [vc = channel.vc](auto& c) -> auto& { return c.buffer.common[hw::index(vc)]; })
                       .defaults_to(channel.default_capacity)
                       .requires_that("at least " + channel.packet + ", or unlimited")
                       .means("Buffer of the virtual channel " + channel.name +
                              " at every input port that has none of its own.")
                       .source("FRED sec. 6.2.3"));
  }
  for (const Ports& ports : classes) {
    for (const Channel& channel : channels) {
      const std::size_t of = static_cast<std::size_t>(ports.port_class);
      list.push_back(
          capacity(
              "buffer." + ports.key + "." + channel.name,
              [ vc = channel.vc, of ](auto& c) -> auto& { return c.buffer.of_class[of][hw::index(vc)]; })
              .defaults_from("buffer." + channel.name)
              .requires_that("at least " + channel.packet + ", or unlimited")
              .means("The same for " + ports.who + " only."));
    }
  }
}

void add_npu(List& list) {
  list.push_back(real(
                     "npu.flops", [](auto& c) -> auto& { return c.npu.flops; })
                     .unit("FLOP/s")
                     .range("1e6", "1e21")
                     .defaults_to("989.4e12")
                     .means("Speed of an NPU: a compute operation given in flops takes flops / npu.flops.")
                     .source("H100-like (FRED sec. 6.2): NVIDIA H100 SXM5, dense FP16 on tensor cores"));
}

void add_data(List& list) {
  list.push_back(
      enumeration(
          "data.pattern", [](auto& c) -> auto& { return c.data.pattern; })
          .defaults_to("exact")
          .means("Values the NPUs send: such that any order of adding gives the same bits (exact), or such "
                 "that sums round and the order shows (rounding).")
          .source("free choice"));
  list.push_back(enumeration(
                     "data.dtype", [](auto& c) -> auto& { return c.data.dtype; })
                     .defaults_to("fp16")
                     .means("Element type of operations that name none.")
                     .source("FRED sec. 8.2"));
}

}  // namespace

const std::vector<Parameter>& parameters() {
  static const List list = [] {
    List all;
    add_general(all);
    add_switch(all);
    add_packet(all);
    add_link(all);
    add_buffer(all);
    add_npu(all);
    add_data(all);
    return all;
  }();
  return list;
}

std::string_view topic_title(std::string_view topic) {
  if (topic.empty()) return "The whole run";
  if (topic == "switch") return "FRED switch";
  if (topic == "packet") return "Packets";
  if (topic == "link") return "Links";
  if (topic == "buffer") return "Buffers of the virtual channels at input ports";
  if (topic == "npu") return "NPUs";
  if (topic == "data") return "Data";
  return topic;
}

}  // namespace fredsim::tb
