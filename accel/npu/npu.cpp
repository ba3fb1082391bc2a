#include "accel/npu/npu.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/observe/timeline.h"

namespace fredsim::accel {
namespace {

constexpr std::size_t compute_row = hw::traffic_classes;

std::size_t row_of(const Part& part) {
  return part.type == hw::OperationType::compute ? compute_row : hw::index(part.traffic_class);
}

hw::ProbeInfo operation_probe(const std::string& path, std::size_t row) {
  if (row == compute_row)
    return hw::waveform_only(path + ".compute.operation", "", "what the compute engine runs",
                             hw::ProbeKind::state);
  return hw::waveform_only(
      fmt::format("{}.vc_{}.operation", path, to_string(static_cast<hw::TrafficClass>(row))), "",
      "oldest operation of the class under way", hw::ProbeKind::state);
}

}  // namespace

Npu::Npu(sc_core::sc_module_name name, const NpuConfig& config, const Program& program,
         const NpuServices& services)
    : NpuBase(name, config, program),
      services_(services),
      dependencies_(program),
      engine_(program),
      interface_("interface", this->config(), program, services, *this),
      parts_(program.parts.size()),
      under_way_(hw::traffic_classes + 1) {
  for (std::size_t row = 0; row <= compute_row; ++row) {
    operation_.emplace_back(services.context.recorder, operation_probe(config.path, row));
  }
  for (const hw::OperationId operation : dependencies_.awaited_operations()) {
    services_.board.subscribe(operation, *this);
  }
  // Not in begin(): what ends at other NPUs as they begin can start parts here before this one does.
  ready_ = dependencies_.initially_ready();
  SC_HAS_PROCESS(Npu);
  SC_METHOD(begin);
  SC_METHOD(complete);
  sensitive << complete_event_;
  dont_initialize();
  SC_METHOD(release);
  sensitive << release_event_;
  dont_initialize();
}

void Npu::begin() {
  start_ready();
}

/// Zero-length parts end as they start and make others ready: done in a loop, since such chains can be long.
void Npu::start_ready() {
  if (starting_ || config().dead(hw::now())) return;
  starting_ = true;
  do {
    std::vector<std::uint32_t> ready;
    ready.swap(ready_);
    std::sort(ready.begin(), ready.end());
    for (const std::uint32_t p : ready) {
      if (hold_back(p)) continue;
      const Part& part = program().parts[p];
      if (ComputeEngine::uses_engine(part)) {
        engine_.part_ready(p);
        continue;
      }
      parts_[p].sent = parts_[p].sent || part.sends.empty();
      parts_[p].received = parts_[p].received || part.receives.empty();
      if (part.sends.empty()) {
        start(p);
      } else {
        interface_.part_ready(p);  // it starts when its turn to inject comes
      }
    }
    std::uint32_t p = 0;
    while (engine_.start(p)) {
      start(p);
      schedule(p, hw::now() + program().parts[p].duration);
    }
  } while (!ready_.empty());
  starting_ = false;
}

bool Npu::hold_back(std::uint32_t p) {
  const hw::Time delay = program().parts[p].start_delay;
  if (delay == hw::Time() || parts_[p].held_back) return false;
  parts_[p].held_back = true;
  held_back_.push_in_order({hw::now() + delay, p},
                           [](const Completion& a, const Completion& b) { return a.at < b.at; });
  release_event_.notify(hw::to_sc(held_back_.front().at - hw::now()));
  return true;
}

void Npu::release() {
  ++services_.context.kernel_events;
  while (!held_back_.empty() && held_back_.front().at <= hw::now()) ready_.push_back(held_back_.pop().part);
  if (!held_back_.empty()) release_event_.notify(hw::to_sc(held_back_.front().at - hw::now()));
  start_ready();
}

void Npu::start(std::uint32_t p) {
  const Part& part = program().parts[p];
  parts_[p].started = true;
  services_.board.started(part.operation, hw::now());
  if (part.type == hw::OperationType::compute) {
    activity_.compute_starts(hw::now());
  } else {
    activity_.communication_starts(part.exposure, hw::now());
  }
  under_way_[row_of(part)].push_back(p);
  show(part);
  if (services_.context.timeline) parts_[p].span = begin_span(part);
  if (part.endpoint) interface_.part_started(p);
  if (!ComputeEngine::uses_engine(part)) complete_when_done(p);
}

void Npu::part_starts(std::uint32_t part) {
  start(part);
}

void Npu::part_sent(std::uint32_t part, hw::Time at) {
  parts_[part].sent = true;
  parts_[part].ends = std::max(parts_[part].ends, at);
  complete_when_done(part);
}

void Npu::part_received(std::uint32_t part, hw::Time at) {
  parts_[part].received = true;
  parts_[part].ends = std::max(parts_[part].ends, at);
  complete_when_done(part);
}

void Npu::complete_when_done(std::uint32_t p) {
  const PartState& state = parts_[p];
  if (!state.started || !state.sent || !state.received) return;
  if (state.ends > hw::now()) {
    schedule(p, state.ends);
  } else {
    end(p);
  }
}

void Npu::schedule(std::uint32_t part, hw::Time at) {
  completions_.push_in_order({at, part},
                             [](const Completion& a, const Completion& b) { return a.at < b.at; });
  complete_event_.notify(hw::to_sc(completions_.front().at - hw::now()));
}

void Npu::complete() {
  ++services_.context.kernel_events;
  if (config().dead(hw::now())) return;
  while (!completions_.empty() && completions_.front().at <= hw::now()) end(completions_.pop().part);
  if (!completions_.empty()) complete_event_.notify(hw::to_sc(completions_.front().at - hw::now()));
}

void Npu::end(std::uint32_t p) {
  const Part& part = program().parts[p];
  std::vector<std::uint32_t>& row = under_way_[row_of(part)];
  row.erase(std::find(row.begin(), row.end(), p));
  if (part.type == hw::OperationType::compute) {
    if (ComputeEngine::uses_engine(part)) engine_.end();
    activity_.compute_ends(hw::now());
  } else {
    activity_.communication_ends(part.exposure, hw::now());
  }
  show(part);
  if (services_.context.timeline) services_.context.timeline->end(parts_[p].span, hw::now());
  dependencies_.part_ended(p, ready_);
  services_.board.ended(part.operation, hw::now());
  start_ready();
}

void Npu::operation_ended(hw::OperationId operation) {
  dependencies_.operation_ended(operation, ready_);
  start_ready();
}

void Npu::show(const Part& part) {
  const std::size_t row =
      part.type == hw::OperationType::compute ? compute_row : hw::index(part.traffic_class);
  hw::Probe& probe = operation_[row];
  if (!probe.recorded()) return;
  const std::vector<std::uint32_t>& under_way = under_way_[row];
  probe.set(hw::now(),
            probe.state(under_way.empty() ? "idle"
                                          : services_.operation_names.at(
                                                program().parts[under_way.front()].operation.value)));
}

std::size_t Npu::begin_span(const Part& part) const {
  hw::Timeline& timeline = *services_.context.timeline;
  const bool computes = part.type == hw::OperationType::compute;
  const auto kind = computes
                        ? hw::Timeline::Kind::compute
                        : static_cast<hw::Timeline::Kind>(static_cast<std::size_t>(hw::Timeline::Kind::mp) +
                                                          static_cast<std::size_t>(part.exposure));
  return timeline.begin(kind, timeline.name(config().path),
                        timeline.name(computes ? "compute" : to_string(part.traffic_class)),
                        timeline.name(services_.operation_names.at(part.operation.value)), hw::now());
}

std::string Npu::waits_to_start(std::uint32_t p) const {
  const Part& part = program().parts[p];
  const auto name = [this](hw::OperationId operation) {
    return services_.operation_names.at(operation.value);
  };
  for (const std::uint32_t earlier : part.after) {
    if (!dependencies_.ended(earlier)) {
      return fmt::format("operation {} to end here", name(program().parts[earlier].operation));
    }
  }
  for (const hw::OperationId operation : part.after_all) {
    if (!services_.board[operation].has_ended())
      return fmt::format("operation {} to end everywhere", name(operation));
  }
  const std::uint32_t turn = ComputeEngine::uses_engine(part) ? engine_.turn() : interface_.turn(part.vc);
  if (turn != UINT32_MAX && turn != p) {
    return fmt::format("its turn behind operation {}", name(program().parts[turn].operation));
  }
  return interface_.transmitter.waits_for(part.vc);
}

std::vector<UnfinishedPart> Npu::unfinished() const {
  std::vector<UnfinishedPart> result;
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    if (dependencies_.ended(p)) continue;
    UnfinishedPart part;
    part.operation = program().parts[p].operation;
    part.started = parts_[p].started;
    if (!part.started) {
      part.waits_for = waits_to_start(p);
    } else if (interface_.has_turn(p)) {
      part.waits_for = interface_.transmitter.waits_for(program().parts[p].vc);
    }
    if (config().silent(hw::now())) {
      const Outage& last = config().outages.back();
      part.waits_for = fmt::format("nothing more: this NPU {} at {}", last.dies ? "died" : "stalled for good",
                                   hw::to_string(last.from));
      part.silent = true;
    }
    part.sending = interface_.unsent(p);
    part.receiving = interface_.unreceived(p);
    if (interface_.go_back_n() && part.waits_for.empty() && interface_.has_turn(p) &&
        program().parts[p].vc != hw::VirtualChannel::control)
      part.waits_for = interface_.go_back_n()->given_up(program().parts[p].vc);
    result.push_back(std::move(part));
  }
  return result;
}

std::vector<const hw::VcBuffer*> Npu::buffers() const {
  std::vector<const hw::VcBuffer*> result;
  for (const hw::VcBuffer& buffer : interface_.buffers()) result.push_back(&buffer);
  return result;
}

}  // namespace fredsim::accel
