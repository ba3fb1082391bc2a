#include "hw/link/packet.h"

#include "hw/core/error.h"

namespace fredsim::hw {

bool operator==(const PacketHeader& a, const PacketHeader& b) {
  return a.flow == b.flow && a.operation == b.operation && a.source == b.source && a.vc == b.vc &&
         a.dtype == b.dtype && a.op == b.op && a.damaged == b.damaged && a.kind == b.kind &&
         a.epoch == b.epoch && a.restart == b.restart && a.wire_bytes == b.wire_bytes &&
         a.sequence == b.sequence && a.injected == b.injected;
}

tlm::tlm_extension_base* PacketExtension::clone() const {
  auto* copy = new PacketExtension;
  copy->header = header;
  return copy;
}

void PacketExtension::copy_from(const tlm::tlm_extension_base& other) {
  header = static_cast<const PacketExtension&>(other).header;
}

const PacketHeader& extension_header_of(const Payload& payload) {
  const auto* extension = payload.get_extension<PacketExtension>();
  if (!extension) throw InternalError("a payload without PacketExtension was sent as a packet");
  return extension->header;
}

PacketPool::PacketPool(std::size_t data_bytes) : data_bytes_(data_bytes) {}
PacketPool::~PacketPool() = default;

PooledPayload& PacketPool::take(const PacketHeader& header, std::uint64_t offset, std::uint32_t bytes) {
  if (free_.empty()) {
    all_.push_back(std::make_unique<PooledPayload>(*this));
    free_.reserve(all_.capacity());
    free_.push_back(all_.back().get());
  }
  PooledPayload& payload = *free_.back();
  free_.pop_back();
  payload.acquire();
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(offset);
  payload.set_data_length(bytes);
  payload.extension_.header = header;
  return payload;
}

PacketRef PacketPool::make(const PacketHeader& header, std::uint64_t offset, const std::byte* data,
                           std::uint32_t bytes) {
  PooledPayload& payload = take(header, offset, bytes);
  // TLM's data pointer is not const, but a payload in flight is read-only.
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(const_cast<std::byte*>(data)));
  return PacketRef::adopt(payload);
}

PacketRef PacketPool::make_with_room(const PacketHeader& header, std::uint64_t offset, std::uint32_t bytes) {
  if (bytes > data_bytes_)
    throw InternalError("a packet of more element bytes than the pool's packets have room for");
  PooledPayload& payload = take(header, offset, bytes);
  if (!payload.room_) payload.room_ = std::make_unique<unsigned char[]>(data_bytes_);
  payload.set_data_ptr(payload.room_.get());
  return PacketRef::adopt(payload);
}

PacketRef PacketPool::make_over(const PacketHeader& header, const PacketRef& original) {
  PooledPayload& payload = take(header, original->get_address(), original->get_data_length());
  payload.set_data_ptr(original->get_data_ptr());
  payload.original_ = original;
  return PacketRef::adopt(payload);
}

void PacketPool::free(Payload* payload) {
  auto* pooled = static_cast<PooledPayload*>(payload);
  pooled->original_ = PacketRef();
  pooled->extension_.header = PacketHeader();
  pooled->set_data_ptr(nullptr);
  pooled->set_data_length(0);
  pooled->set_address(0);
  pooled->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  free_.push_back(pooled);
}

}  // namespace fredsim::hw
