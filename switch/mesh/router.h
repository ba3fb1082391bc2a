#pragma once

#include <array>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "hw/link/context.h"
#include "hw/link/fifo.h"
#include "hw/link/protocol.h"
#include "hw/link/serialization.h"
#include "hw/link/transmitter.h"
#include "hw/link/vc_buffer.h"
#include "switch/mesh/mesh_routes.h"

namespace fredsim::sw {

/// A port of a router and its link, both directions.
struct RouterPortConfig {
  bool connected = false;
  hw::Bandwidth bandwidth;
  hw::Capacities buffers{};   ///< of the input
  hw::Capacities receiver{};  ///< of the buffers that the output leads to
};

struct RouterConfig {
  std::string path;  ///< in results and waveforms, "r2_1"
  std::uint32_t node = 0;
  hw::Time hop_latency;       ///< of a head, from the input to the output link
  std::uint32_t staging = 3;  ///< packets that an output holds for each virtual channel
  std::array<RouterPortConfig, mesh_ports> ports;
};

struct RouterStatistics {
  std::uint64_t forwards = 0;  ///< packets, each once
  std::uint64_t copies = 0;    ///< beyond the first output of a packet
};

/// A router of a mesh: virtual cut-through, credits, one buffer a virtual channel at each input. The first
/// packet of a buffer asks for its output, where a few packets of each channel have room (staging); who asked
/// first gets it first. It moves at the rate of the link it came in by, so that an NPU, whose link is faster,
/// can send to several sides at once. An output serves control before MP before PP before DP. Every channel
/// of an input has its own way to the outputs, one packet at a time.
class MeshRouter : public sc_core::sc_module, private hw::PacketSink, private hw::Transmitter::Client {
 public:
  /// `routes` and `context` must outlive it.
  MeshRouter(sc_core::sc_module_name name, hw::Context& context, const RouterConfig& config,
             const MeshRoutes& routes);

  hw::PacketTargetSocket& in(Side side) { return input(side).in; }
  hw::PacketInitiatorSocket& out(Side side) { return outputs_[index(side)]->transmitter.out; }
  const hw::Transmitter& output(Side side) const { return outputs_[index(side)]->transmitter; }
  const hw::VcBuffer& buffer(Side side, hw::VirtualChannel vc) const {
    return inputs_[index(side)]->channels[hw::index(vc)].buffer;
  }
  bool connected(Side side) const { return config_.ports[index(side)].connected; }
  const RouterConfig& config() const { return config_; }
  const RouterStatistics& statistics() const { return statistics_; }

 private:
  struct Channel {
    Channel(hw::Context& context, const std::string& path, hw::VirtualChannel vc, hw::Capacity capacity)
        : buffer(context, path, vc, capacity) {}

    hw::VcBuffer buffer;
    SideMask asked = 0;    ///< outputs that have yet to take the first packet
    hw::Time tail_leaves;  ///< of the first packet, to those that have
    hw::Time free_from;    ///< when the last packet has left
  };
  struct Input {
    Input(const char* name, MeshRouter& router, Side side, hw::Bandwidth bandwidth)
        : in(name, router, port_of(side)), serialization(bandwidth) {}

    hw::PacketTargetSocket in;
    hw::Serialization serialization;
    std::vector<Channel> channels;
  };

  struct Request {
    Input* from = nullptr;
    Channel* channel = nullptr;
  };
  /// An output's room for packets of one channel.
  struct Stage {
    hw::Fifo<hw::Time> free;    ///< from when on each free place is
    hw::Fifo<Request> waiting;  ///< in the order in which they asked
  };
  struct Output {
    Output(const char* name, hw::Context& context, const std::string& path, const RouterPortConfig& port,
           MeshRouter& router, Side side, std::uint32_t staging);

    hw::Transmitter transmitter;
    hw::Serialization serialization;
    std::array<Stage, hw::virtual_channels> stages;
  };

  Input& input(Side side) { return *inputs_[index(side)]; }
  void packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  hw::PortStatus port_status(hw::PortId port) override;
  void departed(hw::PortId port, const hw::Payload& payload, hw::Time tail_leaves) override;
  void ask(Input& from, Channel& channel);
  void take(Request request, Side side, hw::Time room_from);
  void finish(Input& from, Channel& channel);

  RouterConfig config_;
  const MeshRoutes& routes_;
  std::array<std::unique_ptr<Input>, mesh_ports> inputs_;
  std::array<std::unique_ptr<Output>, mesh_ports> outputs_;
  RouterStatistics statistics_;
};

}  // namespace fredsim::sw
