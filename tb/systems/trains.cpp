#include "tb/systems/trains.h"

namespace fredsim::tb {
namespace {

void lengthen(hw::Capacities& buffers, std::uint32_t train) {
  for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
    if (vc == hw::index(hw::VirtualChannel::control) || buffers[vc].is_unlimited()) continue;
    buffers[vc] = hw::Capacity::bytes(buffers[vc].bytes() * train);
  }
}

}  // namespace

std::uint32_t train_of(const Configuration& configuration) {
  return static_cast<std::uint32_t>(configuration.transaction / configuration.packet.bytes);
}

Configuration with_trains(Configuration configuration) {
  const std::uint32_t train = train_of(configuration);
  BuffersConfiguration& buffer = configuration.buffer;
  for (hw::Capacities* own : {&buffer.common, &buffer.npu, &buffer.io, &buffer.router}) lengthen(*own, train);
  for (auto& level : buffer.of_switch) {
    for (hw::Capacities& own : level) lengthen(own, train);
  }
  return configuration;
}

}  // namespace fredsim::tb
