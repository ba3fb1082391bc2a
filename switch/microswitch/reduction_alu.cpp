#include "switch/microswitch/reduction_alu.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"
#include "hw/core/reduce.h"
#include "hw/link/sim_time.h"

namespace fredsim::sw {

hw::PacketRef ReductionAlu::reduce(const hw::Payload& a, const hw::Payload& b) {
  const hw::PacketHeader& left = hw::header_of(a);
  const hw::PacketHeader& right = hw::header_of(b);
  const std::uint32_t bytes = a.get_data_length();
  if (left.flow != right.flow || left.sequence != right.sequence || a.get_address() != b.get_address() ||
      bytes != b.get_data_length() || left.dtype != right.dtype || left.op != right.op ||
      !a.get_data_ptr() != !b.get_data_ptr()) {
    throw hw::InternalError(fmt::format(
        "{} at {}: packet {} of flow {} met packet {} of flow {}: only equal packets of one flow can be "
        "reduced",
        owner_, to_string(hw::now()), left.sequence, left.flow.value, right.sequence, right.flow.value));
  }
  ++reductions_;
  hw::PacketHeader header = left;
  header.injected = std::max(left.injected, right.injected);
  if (!a.get_data_ptr()) return context_.packets.make(header, a.get_address(), nullptr, bytes);
  hw::PacketRef sum = context_.packets.make_with_room(header, a.get_address(), bytes);
  hw::reduce(header.dtype, header.op, hw::data_of(a), hw::data_of(b), sum->get_data_ptr(),
             bytes / hw::size_of(header.dtype));
  return sum;
}

}  // namespace fredsim::sw
