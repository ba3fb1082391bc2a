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
#include "switch/fabric/tree.h"
#include "tb/configuration/faults.h"
#include "tb/configuration/wan_configuration.h"
#include "tb/plan/algorithm_choice.h"
#include "tb/plan/conflict_policy.h"
#include "tb/plan/route_miss.h"

namespace fredsim::tb {

enum class SystemKind : std::uint8_t { single_switch, tree, mesh, wan };
/// Both give equal results: every micro-switch a module, or the same routing compiled per flow.
enum class Abstraction : std::uint8_t { microswitch, whole_switch };

/// What a port of a switch faces; with the switch's level it names the ports that share their settings.
enum class PortSide : std::uint8_t {
  down,  ///< NPUs, or switches of the level below; keys `buffer.l1.down.*`, `buffer.l2.down.*`, ...
  io,    ///< I/O controllers; keys `buffer.l1.io.*`
  up,    ///< switches of the level above; keys `buffer.l1.up.*`, ...
};
constexpr std::size_t port_sides = 3;

/// Levels of switches that a tree can have.
constexpr std::uint32_t max_levels = 6;

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
  RouteMiss route_miss = RouteMiss::fail;
  hw::Bandwidth route_load;  ///< rate at which a route set is loaded
  ConflictPolicy conflict = ConflictPolicy::block;
};

struct LinkConfiguration {
  hw::Bandwidth bandwidth;  ///< per direction
  hw::Time latency;         ///< head to head, one way
};

struct LinksConfiguration {
  hw::Time latency;               ///< `link.latency`: of every link that has none of its own
  hw::Bandwidth plane_bandwidth;  ///< `link.plane_bandwidth`: of every level that has none of its own
  LinkConfiguration npu;
  LinkConfiguration io;
  LinkConfiguration mesh;                           ///< between routers
  std::array<LinkConfiguration, max_levels> up_to;  ///< by level - 1, from the level below; none to level 1
};

struct BuffersConfiguration {
  hw::Capacities common;  ///< `buffer.mp` ...: of every input port that has none of its own
  hw::Capacities npu;
  hw::Capacities io;
  hw::Capacities router;
  std::array<std::array<hw::Capacities, port_sides>, max_levels> of_switch;  ///< by level - 1, by PortSide
};

struct TreeConfiguration {
  std::uint32_t leaf_npus = 0;
  std::uint32_t levels = 1;
  std::uint32_t io_controllers = 0;
  sw::TreeShape::Level common;                         ///< `tree.children`, `tree.planes`
  std::array<sw::TreeShape::Level, max_levels> upper;  ///< by level - 1; nothing at level 1
};

struct CollectiveConfiguration {
  AlgorithmChoice algorithm = AlgorithmChoice::automatic;  ///< of every class that has none of its own
  std::array<AlgorithmChoice, hw::traffic_classes> of_class{};
  std::uint32_t chunks = 1;
};

struct MeshConfiguration {
  std::uint32_t columns = 1;
  std::uint32_t rows = 1;
  hw::Time hop_latency;  ///< of a router
  std::uint32_t staging = 1;
};

struct NpuConfiguration {
  double flops = 0;  ///< floating-point operations per second of a compute operation given in flops
  hw::Time timeout;  ///< without an acknowledgement, before a source asks after its packets
  hw::Bandwidth memory_bandwidth;  ///< for adding up; zero: without limit
  hw::Capacity memory;             ///< for what a training strategy keeps
  std::uint64_t retries = 0;       ///< attempts on end without progress before a sender gives up
};

struct DataConfiguration {
  hw::PatternKind pattern = hw::PatternKind::exact;
  hw::DType dtype = hw::DType::fp16;  ///< of operations that name none
};

/// Random pressure: everything that may take longer does, at random.
struct PressureConfiguration {
  std::uint64_t seed = 0;      ///< 0: none
  hw::Time delay;              ///< the most by which a packet or a credit is delayed on a link
  hw::Time start;              ///< the most by which an NPU's part in an operation starts later
  std::uint32_t slowdown = 1;  ///< the most packet times that a receiver takes for a packet
};

struct CostConfiguration {
  std::string coefficients = "default";  ///< path as given, or "default"
};

struct WatchdogConfiguration {
  hw::Time starvation;  ///< how long nothing of an operation may arrive while others move
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
  TreeConfiguration tree;
  PacketConfiguration packet;
  LinksConfiguration links;
  BuffersConfiguration buffer;
  MeshConfiguration mesh;
  NpuConfiguration npu;
  CollectiveConfiguration collective;
  DataConfiguration data;
  WanConfiguration wan;
  AggregatorConfiguration aggregator;
  WatchdogConfiguration watchdog;
  PressureConfiguration pressure;
  Reliability reliability_choice = Reliability::automatic;
  FaultsConfiguration faults;
  CostConfiguration cost;
  std::uint64_t seed = 0;
  std::uint64_t transaction = 0;  ///< bytes that move as one

  struct Given {
    Origin origin = Origin::file;
    std::string place;
  };
  std::string source;                  ///< the file's name as given, for messages
  std::map<std::string, Given> given;  ///< the keys the user wrote, and where

  /// A path that the parameter `key` was given, as this process finds the file: what a configuration file
  /// says is relative to that file.
  std::string path_of(const std::string& key, const std::string& path) const;

  /// Buffers of the input ports of an NPU, of an I/O controller, and of a switch of a level.
  const hw::Capacities& npu_buffers() const { return buffer.npu; }
  const hw::Capacities& io_buffers() const { return buffer.io; }
  const hw::Capacities& router_buffers() const { return buffer.router; }
  const hw::Capacities& switch_buffers(std::uint32_t level, PortSide side) const {
    return buffer.of_switch.at(level - 1).at(static_cast<std::size_t>(side));
  }
  /// A link between an NPU or an I/O controller and its switch, and between a switch of `level` (2 and up)
  /// and one of the level below.
  const LinkConfiguration& npu_link() const { return links.npu; }
  const LinkConfiguration& io_link() const { return links.io; }
  const LinkConfiguration& mesh_link() const { return links.mesh; }
  const LinkConfiguration& link_up_to(std::uint32_t level) const { return links.up_to.at(level - 1); }

  /// What `reliability` comes to; never automatic. A mesh has no switches that could send sources back.
  Reliability reliability() const {
    if (reliability_choice != Reliability::automatic) return reliability_choice;
    if (!faults.any()) return Reliability::none;
    return system == SystemKind::mesh ? Reliability::link : Reliability::flow;
  }

  /// Levels of switches; 1 for a single switch.
  std::uint32_t levels() const { return system == SystemKind::tree ? tree.levels : 1; }
  /// The switches of the system; a single switch is a tree of one level. Not for a mesh or a WAN.
  sw::TreeShape tree_shape() const;
  std::uint32_t npus() const {
    return system == SystemKind::mesh ? mesh.columns * mesh.rows
                                      : static_cast<std::uint32_t>(tree_shape().npus());
  }

  /// Every parameter that plays a part in this system with its value, in the order of `parameters()`.
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
