#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <systemc>
#include <vector>

#include "hw/core/time_sum.h"
#include "hw/link/context.h"
#include "hw/link/fifo.h"
#include "hw/link/serialization.h"
#include "switch/fabric/arbiter.h"
#include "switch/fabric/control_packets.h"
#include "switch/fabric/input_port.h"
#include "switch/fabric/interconnect.h"
#include "switch/fabric/output_port.h"
#include "switch/fabric/switch_config.h"
#include "switch/fabric/switch_plan.h"
#include "switch/route/online.h"

namespace fredsim::sw {

/// Counters of one switch; times are sums over flows and packets.
struct SwitchStatistics {
  std::uint64_t reconfigurations = 0;
  hw::Time reconfiguring;
  std::uint64_t preemptions = 0;  ///< reconfigurations while a lower class could still have fired
  hw::TimeSum partner_missing;    ///< from a flow's first operand of a packet to its last, and to its turn
  hw::TimeSum other_route_set;    ///< ready, while the switch served or changed to another route set
  hw::TimeSum no_staging;         ///< ready, but an output port had no room
};

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

  const SwitchStatistics& statistics() const { return statistics_; }
  /// Flows and barriers that have begun and lack operands.
  std::vector<MissingPartners> missing_partners() const;

 private:
  enum class Cause : std::uint8_t { none, partner, turn, route_set, staging };

  /// Flows that leave by one up port on one virtual channel, in the plan's order. All stripes of a flow share
  /// a turn.
  struct UpTurns {
    struct Turn {
      hw::FlowId first_stripe;
      std::uint64_t packets_left = 0;
      std::vector<std::size_t> flows;  ///< indices into flows_
    };
    std::vector<Turn> turns;
    std::size_t next = 0;  ///< the first that has not passed
  };

  /// What the switch knows of one passage of a flow: the packet of it that is at the heads of its channels.
  struct FlowState {
    const SwitchFlow* plan = nullptr;
    std::size_t laid = 0;      ///< index into circuits_; in route set 0 meaningless
    UpTurns* turns = nullptr;  ///< of the up port it uses; null for none
    std::size_t turn = 0;      ///< its own there
    std::size_t heads = 0;     ///< input ports at which the flow's packet is first
    bool armed = false;        ///< all of them: it fires when time, room and route set allow
    hw::Time first_head, last_head;
    hw::Time earliest;  ///< streaming without gaps allows no earlier start
    Cause cause = Cause::none;
    hw::Time cause_since;
    hw::StallWatch::Ticket stall = 0;
  };

  void head_exposed(hw::PortId port, hw::VirtualChannel vc) override;
  void control_arrives(hw::PortId port, const hw::Payload& payload, hw::Time at) override;
  void room_freed(hw::Time from) override;

  void lay_circuits(const SwitchPlan& plan);
  void queue_up_ports();
  void serve();
  void find_candidates();
  bool has_room(const FlowState& flow);
  bool has_turn(const FlowState& flow) const;
  void take_turn(FlowState& flow);
  /// The route set in which a flow would fire now: the one being served if it has the flow's route.
  std::uint32_t route_set_of(const FlowState& flow) const;
  bool change_route_set(std::uint32_t to, const Candidate& chosen);
  void fire_candidates();
  /// Whether no tail is still streaming through a port of the flow; if one is, the flow is looked at again
  /// then.
  bool ports_free(FlowState& flow);
  /// For a unicast of route set 0: holds a path, or says that none is free.
  bool open_path(FlowState& flow);
  void close_paths();
  void fire(FlowState& flow);
  void stall(FlowState& flow, Cause cause, hw::Time since);
  void settle_stall(FlowState& flow, hw::Time at);
  hw::Probe& stalled(Cause cause);
  FlowState& state_of(hw::FlowId flow, hw::PortId port, hw::VirtualChannel vc);
  void hand_over();
  void wake(hw::Time at);

  hw::Context& context_;
  const SwitchConfig& config_;
  Ports ports_;
  Interconnect& interconnect_;
  std::unique_ptr<Arbiter> arbiter_;
  hw::Serialization internal_;
  OnlineRouter online_;
  ControlPackets control_packets_;

  std::vector<FlowState> flows_;                                                     ///< in the plan's order
  std::vector<hw::FlowId> flow_ids_;                                                 ///< of flows_, ascending
  std::vector<std::array<std::unique_ptr<UpTurns>, hw::traffic_classes>> up_turns_;  ///< by output port
  /// The circuits of flows with the same ports and route, by route set: `no_circuit` in those that do not
  /// have the route.
  std::vector<std::vector<CircuitId>> circuits_;
  static constexpr CircuitId no_circuit = std::numeric_limits<CircuitId>::max();
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

  std::uint32_t route_set_ = 0;        ///< the one being served
  hw::Time usable_from_;               ///< when its configuration is complete
  hw::Time drained_at_;                ///< when the last tail has left the input buffers
  std::vector<hw::Time> input_free_;   ///< by port: when the tail of the last packet has left it
  std::vector<hw::Time> output_free_;  ///< by port, as seen at the inputs
  CircuitId online_circuits_ = 0;      ///< circuit of the unicast from input p is online_circuits_ + p
  struct Laid {
    std::uint32_t output = UINT32_MAX;
    Route route;
  };
  std::vector<Laid> laid_;  ///< by input port: where its online circuit leads

  std::vector<hw::PacketRef> operands_;
  std::vector<Emergence> emerged_;  ///< empty but while packets are fired and handed over

  SwitchStatistics statistics_;
  hw::Probe route_set_probe_;
  hw::Probe class_probe_;
  hw::Probe streaming_probe_;
  std::array<hw::Probe, 3> stalled_;  ///< partner (and turn), route set, staging
  std::array<std::int64_t, hw::traffic_classes> class_states_;
  std::int64_t reconfiguring_state_;
  sc_core::sc_event serve_event_;
};

}  // namespace fredsim::sw
