#include <string>
#include <vector>

#include "tb/configuration/declaration.h"
#include "tb/configuration/parameter.h"
#include "tb/configuration/parameter_groups.h"

namespace fredsim::tb {

template <>
const std::vector<std::string>& names_of<SystemKind>() {
  static const std::vector<std::string> names{"switch", "tree", "mesh", "wan"};
  return names;
}
template <>
const std::vector<std::string>& names_of<Abstraction>() {
  static const std::vector<std::string> names{"microswitch", "switch"};
  return names;
}
template <>
const std::vector<std::string>& names_of<RouteMiss>() {
  static const std::vector<std::string> names = {"fail", "reload"};
  return names;
}
template <>
const std::vector<std::string>& names_of<ConflictPolicy>() {
  static const std::vector<std::string> names{"fail", "block", "decompose"};
  return names;
}
template <>
const std::vector<std::string>& names_of<AlgorithmChoice>() {
  return algorithm_choice_names();
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

void add_general(ParameterList& list) {
  list.push_back(
      enumeration(
          "system", [](auto& c) -> auto& { return c.system; })
          .required()
          .means("What is simulated: switch is one FRED switch with an NPU at every port, tree is a tree "
                 "of FRED switches with NPUs and I/O controllers at the leaves, mesh is a 2D mesh of routers "
                 "with an NPU each and I/O controllers round the edge, wan is sites joined by a WAN, with an "
                 "aggregator before each."));
  // 2^53 - 1 is the largest whole number that every reader of the JSON results holds exactly.
  list.push_back(integer(
                     "seed", [](auto& c) -> auto& { return c.seed; })
                     .range("0", "9007199254740991")
                     .defaults_to("1")
                     .means("Where all random numbers start: the same seed gives the same results.")
                     .source("free choice"));
  list.push_back(
      bytes(
          "transaction", [](auto& c) -> auto& { return c.transaction; })
          .range("1 B", "64 MiB")
          .defaults_from("packet.bytes")
          .requires_that("a multiple of packet.bytes; packet.bytes with reliable delivery or random pressure")
          .means("What moves as one: a packet, or in coarse runs, for what is too large for packets, up "
                 "to so many bytes of packets on end. Buffers then hold as many trains as packets.")
          .source("free choice"));
  add_reliability_parameter(list);
}

void add_packet(ParameterList& list) {
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

void add_npu(ParameterList& list) {
  list.push_back(real(
                     "npu.flops", [](auto& c) -> auto& { return c.npu.flops; })
                     .unit("FLOP/s")
                     .range("1e6", "1e21")
                     .defaults_to("989.4e12")
                     .means("Speed of an NPU: a compute operation given in flops takes flops / npu.flops.")
                     .source("H100-like (FRED sec. 6.2): NVIDIA H100 SXM5, dense FP16 on tensor cores"));
  list.push_back(
      time(
          "npu.timeout", [](auto& c) -> auto& { return c.npu.timeout; })
          .only_if([](const Configuration& c) { return c.reliability() == Reliability::flow; },
                   "but with reliability: flow")
          .range("1 ns", "1 s")
          .defaults_to("10 us")
          .means("Time without an acknowledgement after which a source asks after its packets, with "
                 "reliability: flow; "
                 "doubled with every attempt.")
          .source("free choice"));
  list.push_back(
      bandwidth_limit(
          "npu.memory_bandwidth", [](auto& c) -> auto& { return c.npu.memory_bandwidth; })
          .defaults_to("unlimited")
          .requires_that("or unlimited")
          .means(
              "Memory of an NPU for the sums of endpoint collectives: to add a byte takes three accesses of "
              "a byte, two operands and the sum.")
          .source("FRED sec. 8.1 counts the links only; an H100 has 3 TB/s (FRED sec. 6.2)"));
  list.push_back(
      capacity(
          "npu.memory", [](auto& c) -> auto& { return c.npu.memory; })
          .defaults_to("unlimited")
          .requires_that("a size, or unlimited")
          .means("Memory of an NPU. A training workload that keeps more (its trace says how much) is "
                 "refused.")
          .source("free choice; an H100 has 80 GB"));
  list.push_back(integer(
                     "npu.retries", [](auto& c) -> auto& { return c.npu.retries; })
                     .unit("attempts")
                     .only_if([](const Configuration& c) { return c.reliability() != Reliability::none; },
                              "without reliable delivery (reliability)")
                     .range("1", "1000")
                     .defaults_to("16")
                     .means("Attempts on end to send lost packets again without any progress before the "
                            "sender, a link or an NPU, gives up.")
                     .source("free choice"));
}

void add_data(ParameterList& list) {
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

const std::vector<Parameter>& declared_parameters() {
  static const ParameterList list = [] {
    ParameterList all;
    add_general(all);
    add_tree_parameters(all);
    add_switch_parameters(all);
    add_mesh_parameters(all);
    add_packet(all);
    add_link_parameters(all);
    add_buffer_parameters(all);
    add_npu(all);
    add_collective_parameters(all);
    add_data(all);
    add_wan_parameters(all);
    add_aggregator_parameters(all);
    add_watchdog_parameters(all);
    add_pressure_parameters(all);
    add_fault_parameters(all);
    add_cost_parameters(all);
    return all;
  }();
  return list;
}

std::string_view topic_title(std::string_view topic) {
  if (topic.empty()) return "The whole run";
  if (topic == "tree") return "Tree of FRED switches";
  if (topic == "switch") return "FRED switches";
  if (topic == "mesh") return "2D mesh";
  if (topic == "packet") return "Packets";
  if (topic == "link") return "Links";
  if (topic == "buffer") return "Buffers of the virtual channels at input ports";
  if (topic == "npu") return "NPUs";
  if (topic == "collective") return "Collectives";
  if (topic == "data") return "Data";
  if (topic == "wan") return "WAN and sites";
  if (topic == "aggregator") return "FPGA aggregators";
  if (topic == "watchdog") return "Watchdog";
  if (topic == "pressure") return "Random pressure";
  if (topic == "faults") return "Faults";
  if (topic == "cost") return "Hardware cost";
  return topic;
}

}  // namespace fredsim::tb
