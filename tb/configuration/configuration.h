#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hw/core/dtype.h"
#include "hw/core/pattern.h"
#include "hw/core/quantity.h"
#include "hw/core/records.h"
#include "tb/plan/conflict_policy.h"

namespace fredsim::tb {

enum class SystemKind : std::uint8_t { single_switch };
/// Both give equal results: every micro-switch a module, or the same routing compiled per flow.
enum class Abstraction : std::uint8_t { microswitch, whole_switch };

/// Input ports that share their buffer settings.
enum class PortClass : std::uint8_t {
  npu,      ///< an NPU's receive side; keys `buffer.npu.*`
  l1_down,  ///< a first-level switch's ports that face NPUs; keys `buffer.l1.down.*`
};
constexpr std::size_t port_classes = 2;

/// Links that share their settings.
enum class LinkClass : std::uint8_t {
  npu,  ///< between an NPU and its switch, both directions; keys `link.npu.*`
};
constexpr std::size_t link_classes = 1;

struct PacketConfiguration {
  std::uint64_t bytes = 0;    ///< of a data packet, header included
  std::uint64_t header = 0;   ///< bytes of every packet that carry no data
  std::uint64_t control = 0;  ///< bytes of an ACK, NACK or barrier packet, header included

  std::uint64_t payload() const { return bytes - header; }
};

struct SwitchConfiguration {
  std::uint32_t ports = 0;
  std::uint32_t middle = 0;  ///< the m of FRED_m(P)
  Abstraction abstraction = Abstraction::whole_switch;
  hw::Time hop_latency;      ///< per micro-switch
  hw::Time reconfiguration;  ///< per change of the route set
  bool preemption = true;
  std::uint32_t staging = 0;         ///< packets per virtual channel and output
  hw::Bandwidth internal_bandwidth;  ///< of one path through the interconnect
  std::uint64_t route_memory = 0;    ///< bytes
  ConflictPolicy conflict = ConflictPolicy::block;
};

struct LinkConfiguration {
  hw::Bandwidth bandwidth;  ///< per direction
  hw::Time latency;         ///< head to head, one way
};

struct LinksConfiguration {
  hw::Time latency;  ///< `link.latency`: of every class that has none of its own
  std::array<LinkConfiguration, link_classes> of_class;
};

struct BuffersConfiguration {
  hw::Capacities common;  ///< `buffer.mp` ...: of every port class that has none of its own
  std::array<hw::Capacities, port_classes> of_class;
};

struct NpuConfiguration {
  double flops = 0;  ///< floating-point operations per second of a compute operation given in flops
};

struct DataConfiguration {
  hw::PatternKind pattern = hw::PatternKind::exact;
  hw::DType dtype = hw::DType::fp16;  ///< of operations that name none
};

/// Where a parameter's value came from.
enum class Origin : std::uint8_t {
  declared_default,
  other_parameter,  ///< the default is another parameter's value
  file,
  set_option,
};

/// A parameter as it holds for one configuration.
struct EffectiveValue {
  std::string key;
  std::string value;  ///< as a user would write it; parsing it gives the same value back
  Origin origin = Origin::declared_default;
  std::string from;  ///< "default", "as buffer.dp", "c.yaml:3:9" or "--set"
};

/// Everything a model is told about the system, read and checked: no value is out of its range and no
/// combination contradicts itself. Made only by load_configuration and parse_configuration; models never
/// parse.
struct Configuration {
  SystemKind system = SystemKind::single_switch;
  SwitchConfiguration sw;
  PacketConfiguration packet;
  LinksConfiguration links;
  BuffersConfiguration buffer;
  NpuConfiguration npu;
  DataConfiguration data;
  std::uint64_t seed = 0;

  struct Given {
    Origin origin = Origin::file;
    std::string place;
  };
  std::string source;                  ///< the file's name as given, for messages
  std::map<std::string, Given> given;  ///< the keys the user wrote, and where

  /// Capacity of the buffer of one virtual channel at an input port of this class.
  hw::Capacity buffers(PortClass ports, hw::VirtualChannel vc) const { return buffers(ports)[hw::index(vc)]; }
  const hw::Capacities& buffers(PortClass ports) const {
    return buffer.of_class[static_cast<std::size_t>(ports)];
  }
  const LinkConfiguration& link(LinkClass links_of) const {
    return links.of_class[static_cast<std::size_t>(links_of)];
  }

  /// Every parameter with its value, in the order of `parameters()`.
  std::vector<EffectiveValue> effective() const;
};

/// Read the YAML file at `path`, then apply the settings of `sets`, each "key=value". A setting wins over the
/// file; the same key set twice is an error. Throws InputError listing every problem found, one a line, as
/// `file:line:column: key: what is wrong, what is allowed`, or with `--set key=value` as the place.
Configuration load_configuration(const std::string& path, const std::vector<std::string>& sets = {});

/// The same from text; `name` stands for the file in messages.
Configuration parse_configuration(const std::string& text, const std::string& name,
                                  const std::vector<std::string>& sets = {});

}  // namespace fredsim::tb
