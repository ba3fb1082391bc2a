#include "hw/link/shaker.h"

#include <algorithm>

namespace fredsim::hw {

Shaker::Shaker(sc_core::sc_module_name name, const ShakerConfig& config)
    : sc_module(name),
      in("in", *this),
      out("out", *this),
      random_(config.seed),
      serialization_(config.bandwidth) {
  const auto strength = [this](Time most) {
    const std::uint64_t third = random_.below(3);
    return third == 0 ? Time() : third == 1 ? some(most) : most;
  };
  packet_delay_ = strength(config.delay);
  credit_delay_ = strength(config.delay);
  slowdown_ = random_.below(2) == 0 ? 0 : 1 + static_cast<std::uint32_t>(random_.below(config.slowdown));
}

Time Shaker::some(Time most) {
  return Time::fs(static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(most.fs()) + 1)));
}

void Shaker::packet_arrives(PortId, Payload& payload, Time at) {
  const Time head = std::max(at + some(packet_delay_), last_tail_);
  last_tail_ = head + serialization_.time_for(header_of(payload).wire_bytes);
  out.send(payload, head);
}

void Shaker::credit_returns(PortId, Payload& payload, Time at) {
  const Time each = serialization_.time_for(header_of(payload).wire_bytes) * slowdown_;
  taken_until_ = std::max(at, taken_until_ + each);
  in.credit(payload, taken_until_ + some(credit_delay_));
}

}  // namespace fredsim::hw
