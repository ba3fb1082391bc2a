#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "hw/link/context.h"
#include "hw/link/serialization.h"
#include "switch/fabric/arbiter.h"
#include "switch/fabric/circuits.h"
#include "switch/fabric/control_packets.h"
#include "switch/fabric/input_port.h"
#include "switch/fabric/interconnect.h"
#include "switch/fabric/output_port.h"
#include "switch/fabric/route_memory.h"
#include "switch/fabric/stalls.h"
#include "switch/fabric/switch_config.h"
#include "switch/fabric/switch_plan.h"
#include "switch/fabric/switch_statistics.h"
#include "switch/fabric/up_turns.h"

namespace fredsim::sw {

/// A packet at the head of a virtual channel that waits for others of its flow.
struct MissingPartners {
  hw::FlowId flow;
  std::vector<hw::PortId> missing;  ///< input ports whose channel has another packet first, or none
};

/// Decides which flows of which route set fire (FRED sec. 5.4, 6.2.3). It wakes when a packet becomes the
/// first of its channel, when room comes free and when the interconnect has drained; never otherwise.
class ControlUnit : public sc_core::sc_module, public InputPort::Listener, public OutputPort::Listener {
 public:
  struct Ports {
    std::vector<std::unique_ptr<InputPort>>& inputs;
    std::vector<std::unique_ptr<OutputPort>>& outputs;
  };

  /// The interconnect is laid out here: every flow of every route set becomes a circuit.
  ControlUnit(sc_core::sc_module_name name, hw::Context& context, const SwitchConfig& config,
              const Structure& structure, const SwitchPlan& plan, Ports ports, Interconnect& interconnect,
              std::unique_ptr<Arbiter> arbiter);

  /// Counted up to `end`, which is now or later.
  SwitchStatistics statistics(hw::Time end) const;
  /// How long packets of a flow have been ready while another route set was served, up to `end`; nothing for
  /// a flow that does not pass here.
  hw::TimeSum other_route_set(hw::FlowId flow, hw::Time end) const;
  /// Flows and barriers that have begun and lack operands.
  std::vector<MissingPartners> missing_partners() const;
  /// Flows with a packet that is ready while another route set is served, ascending.
  std::vector<hw::FlowId> kept_waiting() const;

 private:
  /// What the switch knows of one passage of a flow: the packet of it that is at the heads of its channels.
  struct FlowState {
    const SwitchFlow* plan = nullptr;
    std::size_t heads = 0;  ///< input ports at which the flow's packet is first
    bool armed = false;     ///< all of them: it fires when time, room and route set allow
    hw::Time first_head, last_head;
    hw::Time earliest;  ///< streaming without gaps allows no earlier start
  };

  void head_exposed(hw::PortId port, hw::VirtualChannel vc) override;
  void control_arrives(hw::PortId port, const hw::Payload& payload, hw::Time at) override;
  void room_freed(hw::Time from) override;

  void serve();
  void find_candidates();
  bool has_room(const FlowState& flow);
  bool change_route_set(std::uint32_t to, const Candidate& chosen);
  void fire_candidates();
  void count_served(hw::VirtualChannel vc, hw::Time from, hw::Time until);
  /// Whether no tail is still streaming through a port of the flow; if one is, the flow is looked at again
  /// then.
  bool ports_free(FlowState& flow);
  /// For a unicast of route set 0: holds a path, or says that none is free.
  bool open_path(std::size_t index);
  void close_paths();
  void fire(std::size_t index);
  std::size_t index_of(hw::FlowId flow, hw::PortId port, hw::VirtualChannel vc);
  void hand_over();
  void wake(hw::Time at);

  hw::Context& context_;
  const SwitchConfig& config_;
  Ports ports_;
  Interconnect& interconnect_;
  std::unique_ptr<Arbiter> arbiter_;
  hw::Serialization internal_;
  SwitchStatistics statistics_;
  ControlPackets control_packets_;
  Circuits circuits_;
  RouteMemory memory_;
  UpTurns turns_;
  Stalls stalls_;

  std::vector<FlowState> flows_;      ///< in the plan's order
  std::vector<hw::FlowId> flow_ids_;  ///< of flows_, ascending
  struct LastFlow {
    hw::FlowId flow{UINT32_MAX};
    std::size_t index = 0;
  };
  std::vector<std::array<LastFlow, hw::traffic_classes>>
      last_flow_;  ///< by port and channel: spares the look-up
  std::vector<std::size_t> armed_;
  std::vector<std::size_t> candidate_flows_;
  std::vector<Candidate> candidates_;
  bool waiting_for_room_ = false;

  std::uint32_t route_set_ = 0;  ///< the one being served
  hw::Time usable_from_;         ///< when its configuration is complete
  std::array<hw::Time, hw::traffic_classes> served_until_{};
  hw::Time drained_at_;                ///< when the last tail has left the input buffers
  std::vector<hw::Time> input_free_;   ///< by port: when the tail of the last packet has left it
  std::vector<hw::Time> output_free_;  ///< by port, as seen at the inputs

  std::vector<hw::PacketRef> operands_;
  std::vector<Emergence> emerged_;  ///< empty but while packets are fired and handed over

  hw::Probe route_set_probe_;
  hw::Probe class_probe_;
  hw::Probe streaming_probe_;
  hw::Probe preemptions_probe_;
  hw::Probe reconfiguring_probe_;
  std::array<std::int64_t, hw::traffic_classes> class_states_;
  std::int64_t reconfiguring_state_;
  sc_core::sc_event serve_event_;
};

}  // namespace fredsim::sw
