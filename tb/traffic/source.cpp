#include "tb/traffic/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hw/core/error.h"
#include "hw/link/sim_time.h"

namespace fredsim::tb {

TrafficSource::TrafficSource(sc_core::sc_module_name name, const accel::NpuConfig& npu,
                             const accel::Program& npu_program, const accel::NpuServices& services,
                             TrafficRun& run)
    : NpuBase(name, npu, npu_program),
      services_(services),
      run_(run),
      transmitter_("transmitter", services.context, npu.path, npu.bandwidth, npu.receiver, *this),
      in_("in", *this),
      serialization_(npu.bandwidth),
      state_(run.seed * 0x9e3779b97f4a7c15 + npu.id.value) {
  buffers_.reserve(hw::virtual_channels);
  for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
    const auto channel = static_cast<hw::VirtualChannel>(vc);
    buffers_.emplace_back(services.context, fmt::format("{}.in.vc_{}", npu.path, hw::to_string(channel)),
                          channel, npu.buffers[vc]);
  }
  double sum = 0;
  for (const accel::Part& part : program().parts) {
    for (const accel::ReceiveStream& receive : part.receives) expected_[receive.flow] = 0;
    if (part.sends.empty()) continue;
    sum += run_.share_of_send.at(part.operation.value);
    choices_.push_back({sum, part.sends.front().flow, part.vc, 0});
  }
  SC_HAS_PROCESS(TrafficSource);
  SC_METHOD(arise);
  sensitive << arise_event_;
  dont_initialize();
  if (!choices_.empty() && run_.mean_gap > hw::Time()) arise_event_.notify(hw::to_sc(gap()));
}

/// SplitMix64 (Steele, Lea, Flood 2014), in [0, 1).
double TrafficSource::random() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

hw::Time TrafficSource::gap() {
  const double mean = static_cast<double>(run_.mean_gap.fs());
  return hw::Time::fs(static_cast<std::int64_t>(-std::log(1 - random()) * mean));
}

void TrafficSource::arise() {
  ++services_.context.kernel_events;
  const hw::Time now = hw::now();
  const double choice = random() * choices_.back().up_to;
  const auto chosen = std::upper_bound(choices_.begin(), choices_.end(), choice,
                                       [](double at, const Choice& c) { return at < c.up_to; });
  queue_.push(
      {now, static_cast<std::uint32_t>(std::min(chosen, std::prev(choices_.end())) - choices_.begin())});
  if (now >= run_.warm_up && now < run_.window_end()) ++run_.offered;
  arise_event_.notify(hw::to_sc(gap()));
  inject();
}

void TrafficSource::inject() {
  if (queue_.empty() || transmitter_.queued(choices_[queue_.front().choice].vc) > 0) return;
  const Waiting waiting = queue_.pop();
  Choice& choice = choices_[waiting.choice];
  const hw::PacketFormat& format = services_.context.format;
  hw::PacketHeader header;
  header.flow = choice.flow;
  header.source = config().id;
  header.vc = choice.vc;
  header.sequence = choice.sent++;
  header.injected = waiting.arose;
  header.wire_bytes = format.bytes;
  transmitter_.enqueue(services_.context.packets.make(header, 0, nullptr, format.bytes - format.header));
}

void TrafficSource::departed(hw::PortId, const hw::Payload&, hw::Time) {
  inject();
}

void TrafficSource::packet_arrives(hw::PortId, hw::Payload& payload, hw::Time at) {
  const hw::PacketHeader& header = hw::header_of(payload);
  const hw::Time tail_at = at + serialization_.time_for(header.wire_bytes);
  hw::VcBuffer& buffer = buffers_[hw::index(header.vc)];
  buffer.push(payload, at);
  const hw::PacketRef packet = buffer.pop(tail_at);
  in_.credit(payload, tail_at);
  const auto expected = expected_.find(header.flow);
  if (expected == expected_.end() || header.sequence != expected->second) {
    throw hw::InternalError(fmt::format("{} at {}: packet {} of flow {} arrived out of its turn", name(),
                                        to_string(at), header.sequence, header.flow.value));
  }
  ++expected->second;
  if (tail_at >= run_.warm_up && tail_at < run_.window_end()) ++run_.accepted;
  if (header.injected < run_.warm_up || header.injected >= run_.window_end()) return;
  ++run_.arrived;
  run_.latency.add(tail_at - header.injected);
}

hw::PortStatus TrafficSource::port_status(hw::PortId) {
  hw::PortStatus status;
  for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
    status.occupancy_bytes[vc] = buffers_[vc].bytes();
    status.credit_bytes[vc] = buffers_[vc].free_bytes();
  }
  return status;
}

std::vector<const hw::VcBuffer*> TrafficSource::buffers() const {
  std::vector<const hw::VcBuffer*> result;
  for (const hw::VcBuffer& buffer : buffers_) result.push_back(&buffer);
  return result;
}

}  // namespace fredsim::tb
