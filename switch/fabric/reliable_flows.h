#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/link/context.h"
#include "hw/link/fifo.h"
#include "hw/link/reliability.h"
#include "switch/fabric/input_port.h"
#include "switch/fabric/switch_plan.h"

namespace fredsim::sw {

/// The part of the control unit that keeps flows going over links that lose packets (docs/reliability.md). It
/// throws away packets whose partners will never come, passes on acknowledgements, the least of all branches,
/// and answers sources that ask after their packets. Its packets never enter the interconnect.
class ReliableFlows : public sc_core::sc_module {
 public:
  /// The control unit, which knows what stands at the heads of the channels.
  class Host {
   public:
    /// Index, in the plan's order without control flows, of the passage by which a packet comes in.
    virtual std::size_t passage_in(hw::FlowId flow, hw::PortId port, hw::VirtualChannel vc) = 0;
    /// The first packet of a channel may fire with its partners.
    virtual void count_head(hw::PortId port, hw::VirtualChannel vc) = 0;
    /// Takes out the first packet of a channel, which was counted or not; nothing comes of it.
    virtual void discard_head(hw::PortId port, hw::VirtualChannel vc, bool counted) = 0;
    /// All receivers have all packets of a passage.
    virtual void passage_complete(std::size_t passage) = 0;
    /// A control packet leaves.
    virtual void send_control(hw::PortId port, const hw::PacketHeader& header) = 0;

   protected:
    ~Host() = default;
  };

  ReliableFlows(sc_core::sc_module_name name, hw::Context& context, const SwitchPlan& plan,
                std::vector<std::unique_ptr<InputPort>>& inputs, Host& host);

  /// Another packet is now the first of its channel.
  void exposed(hw::PortId port, hw::VirtualChannel vc);
  /// The first packet of a channel has fired.
  void fired(hw::PortId port, hw::VirtualChannel vc) { counted_[port.value][hw::index(vc)] = false; }
  bool counted(hw::PortId port, hw::VirtualChannel vc) const { return counted_[port.value][hw::index(vc)]; }
  void control_arrives(hw::PortId port, const hw::PacketHeader& header, hw::Time at);

  /// Orders to go back that came from here.
  std::uint64_t nacks() const { return nacks_; }

 private:
  using Sequence = hw::FlowReliability::Sequence;

  /// One passage of a flow through the switch.
  struct Passage {
    const SwitchFlow* plan = nullptr;
    const Sequence* sequence = nullptr;
    std::vector<std::uint64_t> acked;  ///< by output: its branch has the packets before this one
    std::uint64_t acked_by_all = 0;
    hw::Epoch epoch;                      ///< the newest seen
    std::optional<hw::Epoch> complained;  ///< of the damage it complained of last
    std::vector<std::optional<hw::Epoch>>
        told;  ///< by input: of the packet over which it was told to go back

    bool joins() const { return plan->ports.inputs.size() > 1; }
    bool goes_up() const { return joins() && plan->up_packets != 0; }
  };
  /// The order of the packets of a flow and its stripes on every link that leads to a join.
  struct Label {
    hw::Epoch epoch;
    std::uint64_t number = 0;
  };
  struct Word {
    hw::Time at;
    hw::PortId port;
    hw::PacketHeader header;
  };

  static bool before(const Label& a, const Label& b) {
    return a.epoch != b.epoch ? hw::newer(b.epoch, a.epoch) : a.number < b.number;
  }

  void serve();
  void acknowledged(hw::PortId port, const hw::PacketHeader& header);
  void go_back(hw::PortId port, const hw::PacketHeader& header);
  void asked(hw::PortId port, const hw::PacketHeader& header);
  void complain(Passage& passage, const hw::PacketHeader& header);
  void complained(Passage& passage, const hw::PacketHeader& header, const hw::Epoch& epoch);
  bool hopeless(hw::PortId port, hw::VirtualChannel vc);
  void settle(hw::PortId port, hw::VirtualChannel vc);
  void tell(Passage& passage, std::size_t input, const hw::PacketHeader& newest, const hw::Epoch& has);
  void discard(hw::PortId port, hw::VirtualChannel vc);
  /// The passage with the port among its inputs or outputs, and its place there.
  Passage& passage_at(hw::FlowId flow, hw::PortId port, std::vector<hw::PortId> PortFlow::*side,
                      std::size_t& place);
  const hw::PacketHeader* head(hw::PortId port, hw::VirtualChannel vc) const;
  const hw::PacketHeader* held(const Passage& passage, hw::PortId port) const;
  bool same_stream(const hw::PacketHeader& header, const Passage& passage) const;
  Label label(const hw::PacketHeader& header) const;
  void send(hw::PortId port, hw::PacketKind, hw::FlowId flow, std::uint64_t sequence, const hw::Epoch& epoch);

  hw::Context& context_;
  const hw::FlowReliability& config_;
  std::vector<std::unique_ptr<InputPort>>& inputs_;
  Host& host_;
  std::vector<Passage> passages_;
  std::vector<std::array<bool, hw::traffic_classes>>
      counted_;  ///< by port: its head waits for partners, or fires
  std::vector<std::pair<hw::PortId, hw::VirtualChannel>> unsettled_;
  bool settling_ = false;
  hw::Fifo<Word> words_;
  std::uint64_t nacks_ = 0;
  sc_core::sc_event event_;
};

}  // namespace fredsim::sw
