#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "switch/microswitch/factory.h"
#include "tb/tests/link/bench.h"

namespace fredsim::test {

const hw::Time hop = ns(0.2);

/// A micro-switch with a source at every input and a sink at every output.
class MicroBench : public sc_core::sc_module, private hw::PacketSink, private hw::CreditSink {
 public:
  struct Arrival {
    std::uint32_t output;
    hw::Time at;
    hw::PacketRef packet;
  };

  Bench bench;
  sw::ActiveCircuit active;
  std::unique_ptr<sw::MicroSwitch> dut;
  std::vector<Arrival> arrivals;

  MicroBench(sc_core::sc_module_name name, sw::ElementKind kind, std::uint32_t inputs, std::uint32_t outputs)
      : sc_module(name) {
    sw::MicroSwitchConfig config;
    config.path = "switch.interconnect.m2.r0";
    config.kind = kind;
    config.inputs = inputs;
    config.outputs = outputs;
    config.hop_latency = hop;
    config.bandwidth = hw::Bandwidth::bytes_per_second(3'000'000'000'000);
    dut = sw::make_micro_switch("dut", bench.context, config, active);
    hw::PacketSink& packet_sink = *this;
    hw::CreditSink& credit_sink = *this;
    for (std::uint32_t i = 0; i < inputs; ++i) {
      sources_.push_back(std::make_unique<hw::PacketInitiatorSocket>(("source" + std::to_string(i)).c_str(),
                                                                     credit_sink, hw::PortId(i)));
      sources_[i]->bind(*dut->in[i]);
    }
    for (std::uint32_t o = 0; o < outputs; ++o) {
      sinks_.push_back(std::make_unique<hw::PacketTargetSocket>(("sink" + std::to_string(o)).c_str(),
                                                                packet_sink, hw::PortId(o)));
      dut->out[o]->bind(*sinks_[o]);
    }
  }

  void send(std::uint32_t input, const hw::PacketRef& packet, hw::Time at) {
    sources_[input]->send(*packet, at);
  }
  void credit(std::uint32_t output, const hw::PacketRef& packet) {
    sinks_[output]->credit(*packet, hw::now());
  }

  template <class T>
  hw::PacketRef packet(std::uint32_t flow, const std::vector<T>& values, hw::DType dtype = hw::DType::fp32,
                       hw::ReduceOp op = hw::ReduceOp::sum) {
    hw::PacketHeader header;
    header.flow = hw::FlowId(flow);
    header.dtype = dtype;
    header.op = op;
    header.wire_bytes = static_cast<std::uint32_t>(6 + sizeof(T) * values.size());
    const auto bytes = static_cast<std::uint32_t>(sizeof(T) * values.size());
    const hw::PacketRef made = bench.packets.make_with_room(header, 0, bytes);
    std::memcpy(made->get_data_ptr(), values.data(), bytes);
    return made;
  }

 private:
  void packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) override {
    arrivals.push_back({port.value, at, hw::PacketRef(payload)});
  }
  hw::PortStatus port_status(hw::PortId) override { return {}; }
  void credit_returns(hw::PortId, hw::Payload&, hw::Time) override {}

  std::vector<std::unique_ptr<hw::PacketInitiatorSocket>> sources_;
  std::vector<std::unique_ptr<hw::PacketTargetSocket>> sinks_;
};

template <class T>
std::vector<T> values_of(const hw::PacketRef& packet) {
  std::vector<T> values(packet->get_data_length() / sizeof(T));
  std::memcpy(values.data(), packet->get_data_ptr(), packet->get_data_length());
  return values;
}

}  // namespace fredsim::test
