#include "tb/tests/system/closed_form.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

using hw::OperationType;

constexpr std::uint64_t packet = 4096, header = 6, control = 512;

Crossing operator*(std::uint64_t factor, const Crossing& c) {
  return {factor * c.bytes, factor * c.packets, factor * c.control_packets};
}
struct Both {
  Crossing up, down;
};

std::uint64_t shard_of(std::uint64_t elements, std::uint64_t ranks, std::uint64_t rank) {
  return (rank + 1) * elements / ranks - rank * elements / ranks;
}

/// What the member of rank `me` sends and receives.
Both expected(const hw::Operation& operation, std::uint64_t me) {
  const std::uint64_t n = operation.npus.size();
  const std::uint64_t root =
      operation.root ? static_cast<std::uint64_t>(
                           std::find(operation.npus.begin(), operation.npus.end(), *operation.root) -
                           operation.npus.begin())
                     : 0;
  const std::uint64_t element = hw::size_of(operation.dtype.value_or(hw::DType::fp16));
  const std::uint64_t elements = (operation.bytes + element - 1) / element;
  const Crossing sum = stream(elements * element, element);
  const Crossing copy = stream(operation.bytes, 1);
  Both both;
  if (operation.type == OperationType::compute) return both;
  if (operation.type == OperationType::send) return {copy, {}};
  if (operation.type == OperationType::recv) return {{}, copy};
  if (n == 1 || (operation.bytes == 0 && operation.type != OperationType::barrier)) return both;
  switch (operation.type) {
    case OperationType::all_reduce:
      return {sum, sum};
    case OperationType::reduce:
      return {sum, me == root ? sum : Crossing{}};
    case OperationType::broadcast:
      return me == root ? Both{copy, {}} : Both{{}, copy};
    case OperationType::reduce_scatter:
      for (std::uint64_t r = 0; r < n; ++r) both.up += stream(shard_of(elements, n, r) * element, element);
      both.down = stream(shard_of(elements, n, me) * element, element);
      return both;
    case OperationType::all_gather:
      return {copy, (n - 1) * copy};
    case OperationType::scatter:
      return me == root ? Both{(n - 1) * copy, {}} : Both{{}, copy};
    case OperationType::gather:
      return me == root ? Both{{}, (n - 1) * copy} : Both{copy, {}};
    case OperationType::all_to_all:
      for (std::uint64_t r = 0; r < n; ++r) {
        if (r != me) both.up += stream(shard_of(operation.bytes, n, r), 1);
      }
      both.down = (n - 1) * stream(shard_of(operation.bytes, n, me), 1);
      return both;
    case OperationType::barrier:
      return {{0, 0, 1}, {0, 0, 1}};
    default:
      throw std::logic_error("no closed form");
  }
}

}  // namespace

Crossing& Crossing::operator+=(const Crossing& other) {
  bytes += other.bytes;
  packets += other.packets;
  control_packets += other.control_packets;
  return *this;
}

Crossing stream(std::uint64_t bytes, std::uint64_t element) {
  const std::uint64_t payload = (packet - header) / element * element;
  const std::uint64_t packets = (bytes + payload - 1) / payload;
  return {bytes + packets * header, packets, 0};
}

void expect_link(const nlohmann::json& result, const std::string& name, const Crossing& crossing) {
  SCOPED_TRACE(name);
  const nlohmann::json& link = find(result["links"], name);
  EXPECT_EQ(link["bytes"], crossing.bytes);
  EXPECT_EQ(link["packets"], crossing.packets);
  EXPECT_EQ(link["control_packets"], crossing.control_packets);
  EXPECT_EQ(link["control_bytes"], crossing.control_packets * control);
  EXPECT_EQ(link["sent"], crossing.packets + crossing.control_packets);
  EXPECT_EQ(link["delivered"], link["sent"]);
}

void expect_traffic(const hw::Workload& workload, const nlohmann::json& result) {
  std::vector<Both> npus(8);
  for (const hw::Operation& operation : workload.operations) {
    for (std::uint64_t rank = 0; rank < operation.npus.size(); ++rank) {
      const Both both = expected(operation, rank);
      npus[operation.npus[rank].value].up += both.up;
      npus[operation.npus[rank].value].down += both.down;
    }
  }
  ASSERT_EQ(result["links"].size(), 16u);
  for (std::uint32_t n = 0; n < 8; ++n) {
    expect_link(result, "npu" + std::to_string(n) + "_to_switch", npus[n].up);
    expect_link(result, "switch_to_npu" + std::to_string(n), npus[n].down);
    EXPECT_EQ(result["npus"][n]["sent_bytes"], npus[n].up.bytes + npus[n].up.control_packets * control);
    EXPECT_EQ(result["npus"][n]["received_bytes"],
              npus[n].down.bytes + npus[n].down.control_packets * control);
  }
}

}  // namespace fredsim::tb::test
