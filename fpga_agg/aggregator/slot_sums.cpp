// The arithmetic of slots.
#include <cstring>

#include "fpga_agg/aggregator/slot_table.h"
#include "fpga_agg/aggregator/source_set.h"
#include "hw/core/reduce.h"

namespace fredsim::agg {

void SlotTable::add(const Session& session, Slot& slot, std::uint64_t packet, const std::byte* data,
                    bool first) {
  const std::size_t n = elements(session, packet);
  const hw::DType dtype = session.config.dtype;
  if (wide(session)) {
    slot.accumulator.resize(n * sizeof(float));
    auto* sums = reinterpret_cast<float*>(slot.accumulator.data());
    if (first) {
      hw::widen_to_fp32(dtype, data, sums, n);
    } else {
      hw::accumulate_fp32(dtype, session.config.op, sums, data, n);
    }
    return;
  }
  slot.accumulator.resize(n * hw::size_of(dtype));
  if (first) {
    std::memcpy(slot.accumulator.data(), data, slot.accumulator.size());
  } else {
    hw::reduce(dtype, session.config.op, slot.accumulator.data(), data, slot.accumulator.data(), n);
  }
}

void SlotTable::round_result(const Session& session, const std::vector<std::byte>& accumulator,
                             std::uint32_t n) {
  if (wide(session)) {
    output_.resize(std::size_t{n} * hw::size_of(session.config.dtype));
    hw::round_from_fp32(session.config.dtype, reinterpret_cast<const float*>(accumulator.data()),
                        output_.data(), n);
  } else {
    output_ = accumulator;
  }
  result_.data = output_.data();
}

void SlotTable::finish_buffered(const Session& session, Slot& slot, std::uint32_t source,
                                const std::byte* data, std::uint32_t n) {
  Slot sum;
  bool first = true;
  const std::uint64_t packet = n == session.config.packet_elements ? 0 : session.config.packets - 1;
  for (std::uint32_t s = 0; s < session.config.sources; ++s) {
    const bool last = s == source;
    if (!last && (slot.seen & bit(s)) == 0) continue;
    const std::byte* one = last ? data : slot.packets[s].data();
    add(session, sum, packet, one, first);
    first = false;
  }
  round_result(session, sum.accumulator, n);
}

}  // namespace fredsim::agg
