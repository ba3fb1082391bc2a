#include "fpga_agg/aggregator/aggregator.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"
#include "hw/link/sim_time.h"

namespace fredsim::agg {
namespace {

hw::ProbeInfo occupancy_probe(const std::string& path, const Aggregator::Config& config) {
  const hw::Capacity memory = config.slots.memory;
  hw::ProbeInfo info;
  info.path = path + ".slots.occupancy";
  info.unit = "B";
  info.meaning = "slot memory in use";
  info.kind = hw::ProbeKind::level;
  info.histogram_width = static_cast<std::int64_t>(std::max<std::uint64_t>(config.packet_memory, 1));
  if (!memory.is_unlimited()) {
    const std::uint64_t left = std::min(config.packet_memory, memory.bytes());
    info.full = static_cast<std::int64_t>(memory.bytes() - left) + 1;
  }
  return info;
}

}  // namespace

Aggregator::Aggregator(sc_core::sc_module_name name, hw::Context& context, const std::string& path,
                       const Config& config)
    : sc_module(name),
      in("in", *this),
      out("out", *this, hw::PortId(0)),
      to_wan("to_wan", *this, hw::PortId(1)),
      context_(context),
      config_(config),
      flows_(config.sites),
      slots_(config.slots),
      occupancy_(context.recorder, occupancy_probe(path, config)),
      stall_(context.recorder, hw::waveform_only(path + ".stall", "", "why what is here does not go on",
                                                 hw::ProbeKind::state)) {
  for (std::uint32_t site = 0; site < config.sites; ++site) {
    progress_.emplace_back();
    if (site == config.site) continue;
    const std::string source = site < config.names.size() ? config.names[site] : std::to_string(site);
    progress_.back().emplace(
        context.recorder,
        hw::waveform_only(fmt::format("{}.from_{}.packet", path, source), "",
                          "number of the last packet of this source", hw::ProbeKind::number));
  }
  SC_HAS_PROCESS(Aggregator);
  SC_METHOD(check_silence);
  sensitive << timeout_event_;
  dont_initialize();
}

void Aggregator::open(std::uint32_t round, const std::vector<std::uint32_t>& sources,
                      const SessionConfig& session) {
  session_of_.resize(std::max<std::size_t>(session_of_.size(), round + 1), none);
  Round r;
  r.number = round;
  r.sources = sources;
  r.index_of.assign(config_.sites, none);
  r.strikes.assign(sources.size(), 0);
  r.heard.assign(sources.size(), hw::Time());
  for (std::uint32_t i = 0; i < sources.size(); ++i) r.index_of[sources[i]] = i;
  session_of_[round] = slots_.open(session);
  rounds_.push_back(std::move(r));
}

void Aggregator::begin(std::uint32_t round, hw::Time at) {
  const SessionId session = session_of_.at(round);
  rounds_[session].begun = true;
  rounds_[session].progress = at;
  if (slots_.done(session)) return;
  open_.push_back(session);
  arm(at + config_.timeout);
}

void Aggregator::packet_arrives(hw::PortId, hw::Payload& payload, hw::Time at) {
  const hw::PacketHeader& header = hw::header_of(payload);
  if (header.vc == hw::VirtualChannel::control) {
    in.credit(payload, at);
    pass_on(payload, at);
    return;
  }
  const SessionId session =
      header.operation.value < session_of_.size() ? session_of_[header.operation.value] : none;
  if (session == none || rounds_[session].index_of[header.source.value] == none) {
    throw hw::InternalError(fmt::format("{} at {}: a packet of round {} from site {}, which is no source",
                                        name(), to_string(at), header.operation.value, header.source.value));
  }
  receive(rounds_[session], session, payload, at);
}

hw::Time Aggregator::through_data_path(std::uint32_t wire_bytes, std::uint32_t data_bytes, hw::Time at) {
  const hw::Time begins = std::max(at, data_path_free_);
  hw::Time takes;
  if (config_.data_path.bits_per_second() > 0) takes = config_.data_path.time_for(wire_bytes);
  if (config_.memory_bandwidth.bits_per_second() > 0) {
    takes = std::max(takes, config_.memory_bandwidth.time_for(2 * std::uint64_t{data_bytes}));
  }
  statistics_.queued = std::max(statistics_.queued, begins - at);
  statistics_.busy += takes;
  data_path_free_ = begins + takes;
  return data_path_free_;
}

void Aggregator::receive(Round& round, SessionId session, hw::Payload& payload, hw::Time at) {
  const hw::PacketHeader header = hw::header_of(payload);
  const std::uint32_t source = round.index_of[header.source.value];
  const double wide = config_.slots.organization == Organization::buffer_per_source
                          ? 1.0
                          : expansion(config_.slots.accumulator, header.dtype);
  const hw::Time done =
      through_data_path(header.wire_bytes, static_cast<std::uint32_t>(payload.get_data_length() * wide), at);
  in.credit(payload, done);
  ++statistics_.packets;
  statistics_.bytes += header.wire_bytes;
  if (progress_[header.source.value]->recorded()) {
    progress_[header.source.value]->set(done, static_cast<std::int64_t>(header.sequence));
  }
  if (round.aborted) return;
  round.strikes[source] = 0;
  round.heard[source] = at;
  if (flows_.is_multicast(header.flow)) slots_.note_stream(session, source, header.sequence);
  const SlotTable::Outcome outcome = slots_.arrive(session, source, header.sequence, hw::data_of(payload));
  switch (outcome) {
    case SlotTable::Outcome::kept:
      break;
    case SlotTable::Outcome::complete:
      pass_sum(session, header.sequence, header, done);
      progress(session, done);
      break;
    case SlotTable::Outcome::duplicate:
      ++statistics_.duplicates;
      return;
    case SlotTable::Outcome::late:
      ++statistics_.late;
      return;
    case SlotTable::Outcome::dropped:
      ++statistics_.dropped;
      break;
    case SlotTable::Outcome::bypassed:
      ++statistics_.bypassed;
      pass_on(payload, done);
      break;
  }
  show(done, outcome == SlotTable::Outcome::dropped || outcome == SlotTable::Outcome::bypassed);
  if (slots_.any_missing()) send_requests(done);
}

void Aggregator::pass_sum(SessionId session, std::uint64_t packet, const hw::PacketHeader& header,
                          hw::Time at) {
  const SlotTable::Sum& sum = slots_.result();
  const SessionConfig& config = slots_.session(session);
  const bool closed = slots_.partial(session);
  if (closed) ++statistics_.partial;
  const auto bytes = static_cast<std::uint32_t>(sum.elements * hw::size_of(header.dtype));
  const std::uint64_t offset = packet * config.packet_elements * hw::size_of(header.dtype);
  hw::PacketHeader result = header;
  result.flow = flows_.sum(sum.sources, closed);
  result.sequence = packet;
  result.wire_bytes = bytes + context_.format.header;
  hw::PacketRef ref;
  if (sum.data != nullptr) {
    ref = context_.packets.make_with_room(result, offset, bytes);
    std::copy_n(sum.data, bytes, reinterpret_cast<std::byte*>(ref->get_data_ptr()));
  } else {
    ref = context_.packets.make(result, offset, nullptr, bytes);
  }
  ++statistics_.sums;
  pass_on(*ref, at);
}

void Aggregator::pass_on(hw::Payload& payload, hw::Time at) {
  const hw::Time leaves = std::max(at, out_free_);
  out_free_ = leaves;
  if (config_.line.bits_per_second() > 0)
    out_free_ += config_.line.time_for(hw::header_of(payload).wire_bytes);
  out.send(payload, leaves);
}

/// A sum has gone: sources with windows hear of it every so often, and at the end.
void Aggregator::progress(SessionId session, hw::Time at) {
  Round& round = rounds_[session];
  round.progress = at;
  round.reported = false;
  const bool done = slots_.done(session);
  if (done) open_.erase(std::remove(open_.begin(), open_.end(), session), open_.end());
  if (!config_.windows) return;
  const std::uint64_t passed = slots_.passed(session);
  const SessionConfig& config = slots_.session(session);
  const std::uint64_t slot = std::max<std::uint64_t>(1, slots_.slot_bytes(config));
  const std::uint64_t step = std::max<std::uint64_t>(1, config_.slots.memory.bytes() / slot / 8);
  if (!done && passed - round.told < std::min<std::uint64_t>(step, 64)) return;
  round.told = passed;
  for (const std::uint32_t site : round.sources) {
    send_control(WanControl::passed, round.number, site, passed, at);
  }
}

void Aggregator::send_requests(hw::Time at) {
  for (const SlotTable::Request& request : slots_.requests()) {
    ++statistics_.resent;
    const Round& round = rounds_[request.session];
    send_control(WanControl::resend, round.number, round.sources[request.source], request.packet, at);
  }
  show(at);
}

void Aggregator::send_control(WanControl what, std::uint32_t round, std::uint32_t to, std::uint64_t number,
                              hw::Time at) {
  hw::PacketHeader header;
  header.flow = flows_.unicast(config_.site, to);
  header.operation = hw::OperationId(round);
  header.source = hw::NpuId(config_.site);
  header.vc = hw::VirtualChannel::control;
  header.wire_bytes = context_.format.control;
  header.sequence = number;
  header.injected = at;
  to_wan.send(*context_.packets.make(header, static_cast<std::uint64_t>(what), nullptr, 0), at);
}

void Aggregator::show(hw::Time at, bool overflow) {
  occupancy_.set(at, static_cast<std::int64_t>(slots_.used()));
  if (!stall_.recorded()) return;
  const char* cause = overflow                      ? "memory full"
                      : data_path_free_ > hw::now() ? "data path"
                      : slots_.used() > 0           ? "source missing"
                                                    : "idle";
  stall_.set(at, stall_.state(cause));
}

void Aggregator::arm(hw::Time at) {
  if (armed_ || config_.timeout == hw::Time()) return;
  armed_ = true;
  timeout_event_.notify(hw::to_sc(std::max(at - hw::now(), hw::Time::fs(1))));
}

void Aggregator::check_silence() {
  armed_ = false;
  const hw::Time now = hw::now();
  hw::Time next = hw::Time::max();
  const std::vector<SessionId> open = open_;
  for (const SessionId session : open) {
    Round& round = rounds_[session];
    if (round.reported || round.aborted) continue;
    if (now < round.progress + config_.timeout) {
      next = std::min(next, round.progress + config_.timeout);
      continue;
    }
    // Only those that the next sum waits for have stopped; others may be held up by them.
    for (std::uint32_t source = 0; source < round.sources.size(); ++source) {
      if (!slots_.next_lacks(session, source)) continue;
      if (++round.strikes[source] <= config_.retries) {
        slots_.note_silence(session, source, round.heard[source] + config_.timeout <= now);
        continue;
      }
      give_up(session, source, now);
      if (round.aborted || round.reported) break;
    }
    round.progress = now;
    if (!round.reported && !round.aborted && !slots_.done(session))
      next = std::min(next, now + config_.timeout);
  }
  send_requests(now);
  if (next != hw::Time::max()) arm(next);
}

void Aggregator::give_up(SessionId session, std::uint32_t source, hw::Time at) {
  Round& round = rounds_[session];
  silences_.push_back({round.number, round.sources[source], at, slots_.passed(session)});
  switch (config_.on_timeout) {
    case OnTimeout::wait:
      round.reported = true;
      break;
    case OnTimeout::abort:
      round.aborted = true;
      aborted_.push_back(round.number);
      open_.erase(std::remove(open_.begin(), open_.end(), session), open_.end());
      break;
    case OnTimeout::partial:
      slots_.exclude(session, source);
      while (const auto packet = slots_.take_excluded(session)) {
        hw::PacketHeader header;
        header.operation = hw::OperationId(round.number);
        header.source = hw::NpuId(round.sources[source]);
        header.dtype = slots_.session(session).dtype;
        header.op = slots_.session(session).op;
        header.injected = at;
        pass_sum(session, *packet, header, at);
      }
      progress(session, at);
      show(at);
      break;
  }
}

std::vector<Aggregator::Silence> Aggregator::waiting() const {
  std::vector<Silence> result;
  for (const SessionId session : open_) {
    const Round& round = rounds_[session];
    for (std::uint32_t source = 0; source < round.sources.size(); ++source) {
      if (!slots_.next_lacks(session, source)) continue;
      result.push_back({round.number, round.sources[source], round.progress, slots_.passed(session)});
    }
  }
  return result;
}

hw::PortStatus Aggregator::port_status(hw::PortId) {
  hw::PortStatus status;
  status.credit_bytes.fill(hw::Capacity::unlimited().bytes());
  return status;
}

void Aggregator::credit_returns(hw::PortId, hw::Payload&, hw::Time) {}

}  // namespace fredsim::agg
