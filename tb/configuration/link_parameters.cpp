#include <string>
#include <vector>

#include "tb/configuration/declaration.h"
#include "tb/configuration/parameter_groups.h"

namespace fredsim::tb {

void add_link_parameters(ParameterList& list) {
  list.push_back(bandwidth(
                     "link.npu_bandwidth", [](auto& c) -> auto& { return c.links.npu.bandwidth; })
                     .range("1 MB/s", "1000 TB/s")
                     .defaults_to("3 TB/s")
                     .means("Rate of a link between an NPU and its switch or router, per direction.")
                     .source("FRED sec. 6.2"));
  list.push_back(
      bandwidth(
          "link.plane_bandwidth", [](auto& c) -> auto& { return c.links.plane_bandwidth; })
          .only_in(SystemKind::tree)
          .range("1 MB/s", "1000 TB/s")
          .defaults_to("3 TB/s")
          .means("Rate of a link between two switches of a tree, per direction.")
          .source("FRED table 5, Fred-C and Fred-D: 12 TB/s per first-level switch over 4 planes"));
  list.push_back(
      bandwidth(
          "link.io_bandwidth", [](auto& c) -> auto& { return c.links.io.bandwidth; })
          .only_in(SystemKind::tree, SystemKind::mesh)
          .range("1 MB/s", "1000 TB/s")
          .defaults_to("128 GB/s")
          .means("Rate of a link between an I/O controller and its switch or router, per direction.")
          .source("FRED sec. 7.1"));
  list.push_back(bandwidth(
                     "link.mesh_bandwidth", [](auto& c) -> auto& { return c.links.mesh.bandwidth; })
                     .only_in(SystemKind::mesh)
                     .range("1 MB/s", "1000 TB/s")
                     .defaults_to("750 GB/s")
                     .means("Rate of a link between two routers of a mesh, per direction.")
                     .source("FRED sec. 7.1"));
  list.push_back(
      time(
          "link.latency", [](auto& c) -> auto& { return c.links.latency; })
          .range("0 ns", "1 s")
          .defaults_to("3.3 ns")
          .means("Time a packet's head takes along a link, for all links that have no latency of their own.")
          .source("derived from FRED sec. 6.2.3: 24 KiB cover the round trip at 3 TB/s"));
  list.push_back(time(
                     "link.npu.latency", [](auto& c) -> auto& { return c.links.npu.latency; })
                     .range("0 ns", "1 s")
                     .defaults_from("link.latency")
                     .means("The same for the links between an NPU and its switch or router only."));
  list.push_back(time(
                     "link.mesh.latency", [](auto& c) -> auto& { return c.links.mesh.latency; })
                     .only_in(SystemKind::mesh)
                     .range("0 ns", "1 s")
                     .defaults_from("link.latency")
                     .means("The same for the links between routers of a mesh only."));
  list.push_back(
      time(
          "link.io.latency", [](auto& c) -> auto& { return c.links.io.latency; })
          .only_in(SystemKind::tree, SystemKind::mesh)
          .range("0 ns", "1 s")
          .defaults_from("link.latency")
          .means("The same for the links between an I/O controller and its switch or router only."));
  list.push_back(bandwidth(
                     "link.lK.plane_bandwidth",
                     [](auto& c, std::uint32_t level) -> auto& { return c.links.up_to[level - 1].bandwidth; })
                     .only_in(SystemKind::tree)
                     .levels(2, max_levels)
                     .range("1 MB/s", "1000 TB/s")
                     .defaults_from("link.plane_bandwidth")
                     .means("Rate of a link between switches of level K - 1 and level K only."));
  list.push_back(time(
                     "link.lK.latency",
                     [](auto& c, std::uint32_t level) -> auto& { return c.links.up_to[level - 1].latency; })
                     .only_in(SystemKind::tree)
                     .levels(2, max_levels)
                     .range("0 ns", "1 s")
                     .defaults_from("link.latency")
                     .means("Latency of the links between switches of level K - 1 and level K only."));
}

namespace {

struct Channel {
  hw::VirtualChannel vc;
  std::string name;
  std::string default_capacity;
  std::string packet;
};

const std::vector<Channel> channels{{hw::VirtualChannel::mp, "mp", "24 KiB", "packet.bytes"},
                                    {hw::VirtualChannel::pp, "pp", "24 KiB", "packet.bytes"},
                                    {hw::VirtualChannel::dp, "dp", "24 KiB", "packet.bytes"},
                                    {hw::VirtualChannel::control, "control", "2 KiB", "packet.control"}};

/// The buffer of one channel in the capacities that `field` finds.
template <class Field>
auto buffer_of(const std::string& ports, const Channel& channel, Field field) {
  return capacity("buffer." + ports + "." + channel.name, field)
      .defaults_from("buffer." + channel.name)
      .requires_that("at least " + channel.packet + ", or unlimited");
}

}  // namespace

void add_buffer_parameters(ParameterList& list) {
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
  for (const Channel& channel : channels) {
    list.push_back(
        buffer_of(
            "npu", channel, [vc = channel.vc](auto& c) -> auto& { return c.buffer.npu[hw::index(vc)]; })
            .means("The same for the receive side of NPUs only."));
  }
  for (const Channel& channel : channels) {
    list.push_back(
        buffer_of(
            "io", channel, [vc = channel.vc](auto& c) -> auto& { return c.buffer.io[hw::index(vc)]; })
            .only_in(SystemKind::tree, SystemKind::mesh)
            .means("The same for the receive side of I/O controllers only."));
  }
  for (const Channel& channel : channels) {
    list.push_back(
        buffer_of(
            "router", channel, [vc = channel.vc](auto& c) -> auto& { return c.buffer.router[hw::index(vc)]; })
            .only_in(SystemKind::mesh)
            .means("The same for the input ports of the routers of a mesh only."));
  }
  for (const Channel& channel : channels) {
    list.push_back(
        buffer_of(
            "l1.io", channel,
            [vc = channel.vc](auto& c) -> auto& {
              return c.buffer.of_switch[0][static_cast<std::size_t>(PortSide::io)][hw::index(vc)];
            })
            .only_in(SystemKind::tree)
            .means("The same for the input ports of first-level switches that face I/O controllers "
                   "only."));
  }
  const auto of_switch = [](PortSide side, hw::VirtualChannel vc) {
    return [ side, vc ](auto& c, std::uint32_t level) -> auto& {
      return c.buffer.of_switch[level - 1][static_cast<std::size_t>(side)][hw::index(vc)];
    };
  };
  for (const Channel& channel : channels) {
    list.push_back(
        buffer_of("lK.down", channel, of_switch(PortSide::down, channel.vc))
            .only_in(SystemKind::single_switch, SystemKind::tree)
            .levels(1, max_levels)
            .means("The same for the input ports of switches of level K that face down, to NPUs at "
                   "level 1, only."));
  }
  for (const Channel& channel : channels) {
    list.push_back(buffer_of("lK.up", channel, of_switch(PortSide::up, channel.vc))
                       .only_in(SystemKind::tree)
                       .levels(1, max_levels - 1, 1)
                       .means("The same for the input ports of switches of level K that face up only."));
  }
}

}  // namespace fredsim::tb
