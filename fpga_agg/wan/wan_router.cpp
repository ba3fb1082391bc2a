#include "fpga_agg/wan/wan_router.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"
#include "hw/link/sim_time.h"

namespace fredsim::agg {
namespace {

/// SplitMix64's finalizer (Steele et al. 2014): a number that looks random for every count.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

WanRouter::WanRouter(sc_core::sc_module_name name, hw::Context& context, const Config& config)
    : sc_module(name),
      context_(context),
      config_(config),
      line_free_(config.lines.size()),
      waiting_(config.lines_in + 2),
      streams_(2 * std::size_t{config.sites}),
      local_serialization_(config.local) {
  // std::make_unique may not see that these are bases.
  hw::PacketSink& packets = *this;
  hw::CreditSink& credits = *this;
  if (config.lines.size() > 60) throw hw::InternalError("a router of a WAN with more than 60 lines");
  statistics_.queued.resize(config.lines.size());
  statistics_.peak_queued.resize(config.lines.size());
  for (std::uint32_t i = 0; i < config.lines_in; ++i) {
    in.push_back(
        std::make_unique<hw::PacketTargetSocket>(fmt::format("in{}", i).c_str(), packets, hw::PortId(i)));
  }
  if (config.site)
    from_site = std::make_unique<hw::PacketTargetSocket>("from_site", packets, hw::PortId(config.lines_in));
  if (config.aggregator) {
    from_aggregator =
        std::make_unique<hw::PacketTargetSocket>("from_aggregator", packets, hw::PortId(config.lines_in + 1));
  }
  for (std::uint32_t o = 0; o < config.lines.size(); ++o) {
    out.push_back(
        std::make_unique<hw::PacketInitiatorSocket>(fmt::format("out{}", o).c_str(), credits, hw::PortId(o)));
    serialization_.emplace_back(config.lines[o]);
  }
  if (config.site) {
    local = std::make_unique<hw::PacketInitiatorSocket>(
        "local", credits, hw::PortId(static_cast<std::uint32_t>(config.lines.size())));
  }
  SC_HAS_PROCESS(WanRouter);
  SC_METHOD(transit);
  sensitive << transit_event_;
  dont_initialize();
  SC_METHOD(deliver);
  sensitive << deliver_event_;
  dont_initialize();
}

void WanRouter::route(hw::FlowId flow, const std::vector<std::uint32_t>& lines, bool to_local) {
  if (routes_.size() <= flow.value) routes_.resize(flow.value + 1, 0);
  std::uint64_t& ports = routes_[flow.value];
  for (const std::uint32_t line : lines) ports |= std::uint64_t{1} << line;
  if (to_local) ports |= local_bit;
}

void WanRouter::packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) {
  // On the local side there is always room.
  if (port.value == config_.lines_in) from_site->credit(payload, at);
  if (port.value == config_.lines_in + 1) from_aggregator->credit(payload, at);
  if (config_.contention == Contention::access_only) return forward(payload, at);
  hw::Fifo<Arrival>& queue = waiting_[port.value];
  const bool first = queue.empty();
  queue.push(Arrival{hw::PacketRef(payload), at});
  if (first) transit_event_.notify(hw::to_sc(at - hw::now()));
}

void WanRouter::forward(hw::Payload& payload, hw::Time at) {
  const hw::PacketHeader& header = hw::header_of(payload);
  const std::uint64_t ports = header.flow.value < routes_.size() ? routes_[header.flow.value] : 0;
  if (ports == 0) {
    throw hw::InternalError(
        fmt::format("{} at {}: flow {} has no way on", name(), to_string(at), header.flow.value));
  }
  for (std::uint64_t lines = ports & ~local_bit; lines != 0; lines &= lines - 1) {
    const auto line = static_cast<std::uint32_t>(__builtin_ctzll(lines));
    if (config_.contention == Contention::access_only) {
      out[line]->send(payload, at);
    } else {
      queue_line(line, payload, at);
    }
  }
  if ((ports & local_bit) != 0) deliver_here(payload, at);
}

/// A line is a queue in order of arrival: when a packet leaves is certain as soon as it is here.
void WanRouter::queue_line(std::uint32_t line, hw::Payload& payload, hw::Time at) {
  const std::uint32_t bytes = hw::header_of(payload).wire_bytes;
  const hw::Time leaves = std::max(at, line_free_[line]);
  statistics_.queued[line] += leaves - at;
  const double behind = (leaves - at).seconds() * config_.lines[line].bytes_per_second();
  statistics_.peak_queued[line] =
      std::max(statistics_.peak_queued[line], static_cast<std::uint64_t>(behind) + bytes);
  line_free_[line] = leaves + serialization_[line].time_for(bytes);
  out[line]->send(payload, leaves);
}

/// Takes what has arrived on the lines in, in order of time, of equals the lowest port first.
void WanRouter::transit() {
  ++context_.kernel_events;
  const hw::Time now = hw::now();
  hw::Time next = hw::Time::max();
  for (;;) {
    hw::Fifo<Arrival>* first = nullptr;
    for (hw::Fifo<Arrival>& queue : waiting_) {
      if (!queue.empty() && (first == nullptr || queue.front().at < first->front().at)) first = &queue;
    }
    if (first == nullptr) break;
    next = first->front().at;
    if (next > now) break;
    const Arrival arrival = first->pop();
    next = hw::Time::max();
    forward(*arrival.packet, arrival.at);
  }
  if (next != hw::Time::max()) transit_event_.notify(hw::to_sc(next - now));
}

/// The number is that of the seed, the node, the source and its count, so that nothing else changes it.
double WanRouter::draw(std::uint32_t source, std::uint64_t number) const {
  std::uint64_t x = mixed(config_.seed);
  x = mixed(x ^ (std::uint64_t{config_.node} << 32 | source));
  return static_cast<double>(mixed(x ^ number) >> 11) * 0x1p-53;
}

void WanRouter::deliver_here(hw::Payload& payload, hw::Time at) {
  const hw::PacketHeader& header = hw::header_of(payload);
  const std::uint32_t source = header.source.value;
  const bool control = header.vc == hw::VirtualChannel::control;
  Stream& stream = streams_[source + (control ? config_.sites : 0)];
  if (!control) {
    if (config_.loss > 0 && draw(source, stream.drawn++) < config_.loss) {
      ++statistics_.lost;
      return;
    }
    if (config_.jitter > hw::Time()) {
      at += hw::Time::fs(
          static_cast<std::int64_t>(draw(source, stream.drawn++) * static_cast<double>(config_.jitter.fs())));
    }
  }
  at = std::max(at, stream.last);
  stream.last = at;
  const bool first = stream.queue.empty();
  stream.queue.push(Arrival{hw::PacketRef(payload), at});
  if (first) deliver_event_.notify(hw::to_sc(at - hw::now()));
}

void WanRouter::deliver() {
  ++context_.kernel_events;
  const hw::Time now = hw::now();
  for (;;) {
    Stream* first = nullptr;
    for (Stream& stream : streams_) {
      if (!stream.queue.empty() && (first == nullptr || stream.queue.front().at < first->queue.front().at))
        first = &stream;
    }
    if (first == nullptr) return;
    if (first->queue.front().at > now) {
      deliver_event_.notify(hw::to_sc(first->queue.front().at - now));
      return;
    }
    const Arrival arrival = first->queue.pop();
    hw::Time leaves = arrival.at;
    if (config_.local.bits_per_second() > 0) {
      leaves = std::max(leaves, local_free_);
      local_free_ = leaves + local_serialization_.time_for(arrival.packet.header().wire_bytes);
    }
    local->send(*arrival.packet, leaves);
  }
}

hw::PortStatus WanRouter::port_status(hw::PortId) {
  hw::PortStatus status;
  status.credit_bytes.fill(hw::Capacity::unlimited().bytes());
  return status;
}

/// What follows a router takes everything at once, or loses it.
void WanRouter::credit_returns(hw::PortId, hw::Payload&, hw::Time) {}

}  // namespace fredsim::agg
