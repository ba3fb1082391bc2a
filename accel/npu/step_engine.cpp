#include "accel/npu/step_engine.h"

#include <algorithm>

#include "hw/link/sim_time.h"

namespace fredsim::accel {
namespace {

/// To add, an NPU reads both operands from memory and writes the sum.
constexpr std::uint64_t accesses_to_add = 3;

}  // namespace

StepEngine::StepEngine(sc_core::sc_module_name name, const NpuConfig& config, const Program& program,
                       const NpuServices& services, Listener& listener)
    : sc_module(name),
      config_(config),
      program_(program),
      services_(services),
      listener_(listener),
      runs_(program.parts.size()),
      sent_(program.parts.size()),
      received_(program.parts.size()),
      retry_at_(program.parts.size(), hw::Time::max()) {
  SC_HAS_PROCESS(StepEngine);
  SC_METHOD(end_receives);
  sensitive << end_event_;
  dont_initialize();
  SC_METHOD(retry);
  sensitive << retry_event_;
  dont_initialize();
}

StepRun& StepEngine::run_of(std::uint32_t part) {
  if (!runs_[part]) {
    runs_[part] = std::make_unique<StepRun>(part, program_.parts[part], config_.id, services_,
                                            static_cast<StepRun::Host&>(*this));
    received_[part] = runs_[part]->all_received();
  }
  return *runs_[part];
}

void StepEngine::give_up(std::uint32_t part) {
  if (sent_[part] && received_[part]) runs_[part].reset();
}

void StepEngine::start(std::uint32_t part) {
  StepRun& run = run_of(part);
  run.start();
  sent_[part] = run.all_sent();
  give_up(part);
}

hw::PacketRef StepEngine::next_packet(std::uint32_t part) {
  hw::Time again;
  StepRun& run = run_of(part);
  hw::PacketRef packet = run.next_packet(hw::now(), again);
  if (!packet && again < retry_at_[part]) {
    retry_at_[part] = again;
    retries_.push_in_order({again, part}, [](const Retry& a, const Retry& b) { return a.at < b.at; });
    retry_event_.notify(hw::to_sc(retries_.front().at - hw::now()));
  }
  sent_[part] = run.all_sent();
  give_up(part);
  return packet;
}

void StepEngine::packet_arrives(std::uint32_t part, std::uint32_t peer, hw::Payload& payload,
                                hw::Time tail_at) {
  run_of(part).packet_arrives(peer, payload, tail_at);
}

bool StepEngine::sends_to(std::uint32_t part, std::uint32_t peer) const {
  return !sent_[part] && (!runs_[part] || runs_[part]->sends_to(peer));
}

hw::Time StepEngine::added(hw::DType dtype, std::uint64_t bytes, hw::Time at) {
  adds_[static_cast<std::size_t>(dtype)] += bytes / hw::size_of(dtype);
  if (config_.memory_bandwidth.bits_per_second() == 0) return at;
  memory_free_ = std::max(memory_free_, at) + config_.memory_bandwidth.time_for(accesses_to_add * bytes);
  return memory_free_;
}

void StepEngine::receive_ends(std::uint32_t part, std::uint32_t receive, hw::Time at) {
  ends_.push_in_order({at, part, receive}, [](const End& a, const End& b) { return a.at < b.at; });
  end_event_.notify(hw::to_sc(std::max(hw::Time(), ends_.front().at - hw::now())));
}

void StepEngine::end_receives() {
  ++services_.context.kernel_events;
  const hw::Time now = hw::now();
  while (!ends_.empty() && ends_.front().at <= now) {
    const End end = ends_.pop();
    StepRun& run = *runs_[end.part];
    const bool may_go = run.end_receive(end.receive, now);
    if (run.all_received()) {
      received_[end.part] = true;
      give_up(end.part);
      listener_.steps_received(end.part);
    }
    if (may_go) listener_.steps_may_go(end.part);
  }
  if (!ends_.empty()) end_event_.notify(hw::to_sc(ends_.front().at - now));
}

void StepEngine::retry() {
  ++services_.context.kernel_events;
  const hw::Time now = hw::now();
  while (!retries_.empty() && retries_.front().at <= now) {
    const Retry due = retries_.pop();
    if (retry_at_[due.part] == due.at) retry_at_[due.part] = hw::Time::max();
    listener_.steps_may_go(due.part);
  }
  if (!retries_.empty()) retry_event_.notify(hw::to_sc(retries_.front().at - now));
}

}  // namespace fredsim::accel
