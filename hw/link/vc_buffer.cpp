#include "hw/link/vc_buffer.h"

#include <fmt/format.h>

#include "hw/core/error.h"
#include "hw/link/sim_time.h"

namespace fredsim::hw {
namespace {

ProbeInfo occupancy_probe(const Context& context, const std::string& path, VirtualChannel vc,
                          Capacity capacity) {
  ProbeInfo info;
  info.path = path + ".occupancy";
  info.unit = "B";
  info.meaning = "bytes held, from a packet's head arriving to its tail leaving";
  info.kind = ProbeKind::level;
  const std::uint64_t packet =
      vc == VirtualChannel::control ? context.format.control : context.format.bytes * context.format.train;
  info.histogram_width = static_cast<std::int64_t>(packet);
  if (!capacity.is_unlimited()) {
    info.full = static_cast<std::int64_t>(capacity.bytes() - packet + 1);  // no room for one more packet
  }
  return info;
}

}  // namespace

VcBuffer::VcBuffer(Context& context, const std::string& path, VirtualChannel vc, Capacity capacity)
    : capacity_(capacity),
      occupancy_(context.recorder, occupancy_probe(context, path, vc, capacity)),
      vc_(vc),
      name_(path) {}

void VcBuffer::refuse(std::uint64_t bytes, Time at) const {
  if (bytes > free_bytes()) {
    throw InternalError(
        fmt::format("{} at {}: a packet of {} arrived with only {} free: it was sent without credit", name_,
                    to_string(at), bytes_to_string(bytes), bytes_to_string(free_bytes())));
  }
  throw InternalError(fmt::format("{} at {}: a packet overtook the one before it", name_, to_string(at)));
}

}  // namespace fredsim::hw
