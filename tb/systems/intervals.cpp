#include "tb/systems/intervals.h"

#include <fmt/format.h>

#include <algorithm>

namespace fredsim::tb {

Intervals::Intervals(const System& system, hw::Time period, std::ostream& out)
    : system_(system), period_(period), out_(out) {
  out_ << "start_ns,end_ns,name,quantity,value\n";
}

/// Calls line(name, quantity, count up to `end`) for everything, always in the same order. Occupancies are
/// counted in byte nanoseconds.
template <class Line>
void Intervals::for_each(hw::Time end, Line line) const {
  for (const System::Wire& wire : system_.wires()) {
    const char* name = wire.link->basename();
    const hw::Link::Traffic traffic = wire.link->traffic(end);
    line(name, "bytes", static_cast<double>(traffic.bytes));
    line(name, "packets", static_cast<double>(traffic.packets));
    line(name, "control_bytes", static_cast<double>(traffic.control_bytes));
    line(name, "control_packets", static_cast<double>(traffic.control_packets));
    line(name, "busy_ns", wire.link->busy(end).ns());
    if (!wire.sender) continue;
    line(name, "no_credit_ns", wire.sender->stalled_no_credit(end).ns());
    line(name, "link_busy_ns", wire.sender->stalled_link_busy(end).ns());
  }
  const auto occupancy = [&](const hw::VcBuffer& buffer) {
    line(buffer.name().c_str(), "mean_bytes", buffer.occupancy(end).mean * end.ns());
  };
  for (const auto& fred : system_.switches()) {
    for (std::uint32_t p = 0; p < fred->structure().ports(); ++p) {
      if (!fred->connected(hw::PortId{p})) continue;
      for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
        occupancy(fred->input(hw::PortId{p}).buffer(static_cast<hw::VirtualChannel>(vc)));
      }
    }
  }
  for (const auto& npu : system_.npus()) {
    for (const hw::VcBuffer* buffer : npu->buffers()) occupancy(*buffer);
  }
  for (const auto& io : system_.io_controllers()) {
    for (const hw::VcBuffer* buffer : io->buffers()) occupancy(*buffer);
  }
  for (const auto& fred : system_.switches()) {
    const char* name = fred->config().path.c_str();
    const sw::SwitchStatistics statistics = fred->statistics(end);
    line(name, "partner_missing_ns", statistics.partner_missing.ns());
    line(name, "other_route_set_ns", statistics.other_route_set.ns());
    line(name, "no_staging_ns", statistics.no_staging.ns());
    line(name, "reconfigurations", static_cast<double>(statistics.reconfigurations));
    line(name, "reconfiguring_ns", statistics.reconfiguring.ns());
    line(name, "loading_ns", statistics.loading.ns());
    line(name, "preemptions", static_cast<double>(statistics.preemptions));
    for (std::size_t c = 0; c < hw::traffic_classes; ++c) {
      static constexpr std::array<const char*, hw::traffic_classes> served = {"served_mp_ns", "served_pp_ns",
                                                                              "served_dp_ns"};
      line(name, served[c], statistics.served[c].ns());
    }
  }
}

bool Intervals::write(hw::Time end) {
  std::size_t i = 0;
  bool any = false;
  for_each(end, [&](const char* name, std::string_view quantity, double count) {
    if (i == before_.size()) before_.push_back(0);
    double value = count - before_[i];
    before_[i++] = count;
    if (quantity == "mean_bytes") value /= (end - start_).ns();
    if (value == 0) return;
    any = true;
    out_ << fmt::format("{},{},{},{},{:.12g}\n", start_.ns(), end.ns(), name, quantity, value);
  });
  start_ = end;
  return any;
}

void Intervals::write_up_to(hw::Time last) {
  while (start_ + period_ <= last) {
    if (write(start_ + period_)) continue;
    const std::int64_t periods = (last - start_).fs() / period_.fs();
    if (periods > 0) write(start_ + period_ * periods);
    return;
  }
}

void Intervals::look(hw::Time at, hw::Time upcoming) {
  write_up_to(std::max(at, upcoming - hw::Time::fs(1)));
}

void Intervals::finish(hw::Time end) {
  write_up_to(end);
  if (start_ < end) write(end);
}

}  // namespace fredsim::tb
