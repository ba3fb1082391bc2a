// An NPU of one's own among ours: one that does one thing at a time. It starts a part of its program when the
// part before has ended, where ours overlaps classes and computes while it communicates. Every odd NPU of the
// system is one.
//   own_npu CONFIG TRACE
#include <algorithm>
#include <cstdio>
#include <unordered_map>

#include "tb/configuration/configuration.h"
#include "tb/systems/simulation.h"
#include "traces/chakra/load.h"
using namespace fredsim;
using hw::PortId, hw::Time;

class InOrderNpu : public accel::NpuBase,
                   hw::PacketSink,
                   hw::Transmitter::Client,
                   accel::OperationBoard::Listener {
 public:
  InOrderNpu(sc_core::sc_module_name name, const accel::NpuConfig& config, const accel::Program& program,
             const accel::NpuServices& services)
      : NpuBase(name, config, program),
        services_(services),
        transmitter_("transmitter", services.context, config.path, config.bandwidth, config.receiver, *this),
        states_(program.parts.size()) {
    for (std::uint32_t p = 0; p < program.parts.size(); ++p) {
      for (const accel::ReceiveStream& stream : program.parts[p].receives) {
        streams_[stream.flow] = {p, &stream};
        states_[p].to_come += stream.packets;
      }
      for (const hw::OperationId other : program.parts[p].after_all) services.board.subscribe(other, *this);
    }
    SC_HAS_PROCESS(InOrderNpu);
    SC_METHOD(step);
    sensitive << step_event_;
  }

  hw::PacketInitiatorSocket& out() override { return transmitter_.out; }
  hw::PacketTargetSocket& in() override { return in_; }
  const hw::Transmitter* transmitter() const override { return &transmitter_; }
  accel::NpuTimes times(Time) const override { return times_; }
  std::vector<accel::UnfinishedPart> unfinished() const override {  // what a run that hangs reports
    std::vector<accel::UnfinishedPart> parts;
    for (std::uint32_t p = current_; p < states_.size(); ++p) {
      accel::UnfinishedPart& part = parts.emplace_back();
      part.operation = program().parts[p].operation;
      part.started = p == current_ && started_;
      part.waits_for = p > current_ ? "its turn" : transmitter_.waits_for();
    }
    return parts;
  }

 private:
  struct PartState {
    std::uint64_t to_come = 0;  // packets
    Time ends;                  // the last tail that has left or arrived
  };
  struct Stream {
    std::uint32_t part = 0;
    const accel::ReceiveStream* stream = nullptr;
  };

  /// Goes on as far as it can at this time. Whatever may let it go on notifies step_event_.
  void step() {
    for (; current_ < states_.size(); ++current_, started_ = false) {
      const accel::Part& part = program().parts[current_];
      PartState& state = states_[current_];
      if (!started_) {
        for (const hw::OperationId other : part.after_all) {
          if (!services_.board[other].has_ended()) return;
        }
        started_ = true;
        services_.board.started(part.operation, hw::now());
        state.ends = std::max(state.ends, hw::now() + part.duration);
        times_.compute += part.duration;
        stream_ = 0, offset_ = 0, packet_ = 0, leaving_ = !part.sends.empty();
        if (leaving_) send_next(part);
      }
      if (leaving_ || state.to_come > 0) return;
      if (state.ends > hw::now()) return step_event_.notify(hw::to_sc(state.ends - hw::now()));
      services_.board.ended(part.operation, hw::now());
    }
  }

  void send_next(const accel::Part& part) {
    const accel::SendStream& stream = part.sends[stream_];
    const hw::PacketFormat& format = services_.context.format;
    hw::PacketHeader header;
    // Over several planes the stream is dealt out to as many flows, packet by packet.
    const std::uint64_t packet = packet_++;
    header.flow = hw::FlowId(stream.flow.value + static_cast<std::uint32_t>(packet % stream.stripes));
    header.sequence = packet / stream.stripes;
    header.operation = part.operation;
    header.source = config().id;
    header.vc = part.vc;
    header.dtype = part.dtype;
    header.op = part.op;
    header.injected = hw::now();
    const std::uint64_t place = offset_;
    std::uint32_t bytes = 0;
    const std::byte* data = nullptr;
    if (part.vc == hw::VirtualChannel::control) {  // a barrier: one packet without elements
      header.wire_bytes = format.control;
    } else {
      bytes = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(format.payload(part.element_bytes), stream.bytes - place));
      header.wire_bytes = format.header + bytes;
      data = services_.source(part, config().id, stream.first_byte + place, bytes);
    }
    offset_ += bytes;
    if (offset_ == stream.bytes) ++stream_, offset_ = 0, packet_ = 0;
    transmitter_.enqueue(services_.context.packets.make(header, place, data, bytes));
  }
  void departed(PortId, const hw::Payload&, Time tail_leaves) override {  // there is room for the next one
    const accel::Part& part = program().parts[current_];
    if (stream_ < part.sends.size()) return send_next(part);
    leaving_ = false;
    states_[current_].ends = std::max(states_[current_].ends, tail_leaves);
    step_event_.notify(sc_core::SC_ZERO_TIME);
  }

  void packet_arrives(PortId, hw::Payload& payload, Time at) override {  // maybe of a part not yet started
    const hw::PacketHeader& header = hw::header_of(payload);
    const Time tail = at + config().bandwidth.time_for(header.wire_bytes);
    in_.credit(payload, tail);
    const auto [p, stream] = streams_.at(header.flow);
    if (header.vc != hw::VirtualChannel::control) {
      delivered.write({config().id, program().parts[p].operation, header.flow,
                       stream->first_byte + payload.get_address(), payload.get_data_length(),
                       hw::data_of(payload), tail});
    }
    states_[p].ends = std::max(states_[p].ends, tail);
    if (--states_[p].to_come == 0) step_event_.notify(sc_core::SC_ZERO_TIME);
  }
  hw::PortStatus port_status(PortId) override { return {}; }
  void operation_ended(hw::OperationId) override { step_event_.notify(sc_core::SC_ZERO_TIME); }

  accel::NpuServices services_;
  hw::Transmitter transmitter_;
  hw::PacketTargetSocket in_{"in", *this};
  std::vector<PartState> states_;
  std::unordered_map<hw::FlowId, Stream> streams_;
  std::uint32_t current_ = 0;  // the part at hand: whether it has started, and how far its sending is
  bool started_ = false, leaving_ = false;
  std::size_t stream_ = 0;
  std::uint64_t offset_ = 0, packet_ = 0;
  accel::NpuTimes times_;
  sc_core::sc_event step_event_;
};

int sc_main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: own_npu CONFIG TRACE\n"), 2;
  const tb::Configuration configuration = tb::load_configuration(argv[1]);
  tb::Factories factories;
  factories.npu = [](sc_core::sc_module_name name, const accel::NpuConfig& config,
                     const accel::Program& program,
                     const accel::NpuServices& services) -> std::unique_ptr<accel::NpuBase> {
    if (config.id.value % 2 == 0) return tb::make_npu(name, config, program, services);
    return std::make_unique<InOrderNpu>(name, config, program, services);
  };
  tb::SimulationOptions options;
  options.monitors = true;  // a rule of the protocol that the NPU breaks is named
  tb::Simulation simulation(configuration, trace::load(argv[2], configuration.npus()), options, factories);
  const tb::Result& result = simulation.run();
  std::printf("%s", summary(result).c_str());
  return exit_code(result.status);
}
