#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tlm>
#include <typeinfo>
#include <utility>
#include <vector>

#include "hw/core/records.h"

namespace fredsim::hw {

using Payload = tlm::tlm_generic_payload;

/// What a packet is for. The others than payload go on the control channel only, of reliable flows
/// (docs/reliability.md).
enum class PacketKind : std::uint8_t {
  payload,    ///< data, or a barrier's
  ack,        ///< to the sources: all packets of the flow before `sequence` have arrived
  go_back,    ///< to the sources: send from `restart` on, in this epoch
  complaint,  ///< the same, on its way to where the flow turns around
  probe,      ///< from a source: what became of packet `sequence`?
};

/// What a packet says of itself on the wire (FRED sec. 6.2.3). Its place in the flow is the payload's
/// address: the byte offset of its first element in the flow's stream.
struct PacketHeader {
  FlowId flow;
  OperationId operation;
  NpuId source;  ///< of a sum: the first operand's
  VirtualChannel vc = VirtualChannel::dp;
  DType dtype = DType::fp16;
  ReduceOp op = ReduceOp::sum;
  bool damaged = false;
  PacketKind kind = PacketKind::payload;
  std::uint32_t wire_bytes = 0;  ///< header and payload, what links and buffers count
  std::uint32_t epoch = 0;       ///< of reliable flows: how often the sources have gone back, a serial number
  std::uint64_t sequence = 0;    ///< counted from 0 in the flow
  std::uint64_t restart = 0;     ///< of reliable flows: the packet with which the epoch begins
  Time injected;                 ///< when the head left its source; of a sum: the last operand's

  friend bool operator==(const PacketHeader& a, const PacketHeader& b);
  friend bool operator!=(const PacketHeader& a, const PacketHeader& b) { return !(a == b); }
};

/// Carries the header on a TLM generic payload.
class PacketExtension : public tlm::tlm_extension<PacketExtension> {
 public:
  PacketHeader header;

  tlm::tlm_extension_base* clone() const override;
  void copy_from(const tlm::tlm_extension_base& other) override;
};

/// Holds one reference to a payload.
class PacketRef {
 public:
  PacketRef() = default;
  /// Takes a reference of its own.
  explicit PacketRef(Payload& payload) : payload_(&payload) { payload_->acquire(); }
  /// Takes over the reference the caller has.
  static PacketRef adopt(Payload& payload) {
    PacketRef ref;
    ref.payload_ = &payload;
    return ref;
  }
  PacketRef(const PacketRef& other) : payload_(other.payload_) {
    if (payload_) payload_->acquire();
  }
  PacketRef(PacketRef&& other) noexcept : payload_(std::exchange(other.payload_, nullptr)) {}
  PacketRef& operator=(PacketRef other) noexcept {
    std::swap(payload_, other.payload_);
    return *this;
  }
  ~PacketRef() {
    if (payload_) payload_->release();
  }

  explicit operator bool() const { return payload_ != nullptr; }
  Payload& operator*() const { return *payload_; }
  Payload* operator->() const { return payload_; }
  inline const PacketHeader& header() const;

 private:
  Payload* payload_ = nullptr;
};

/// A payload of a PacketPool.
class PooledPayload final : public Payload {
 public:
  explicit PooledPayload(tlm::tlm_mm_interface& pool) : Payload(&pool) { set_extension(&extension_); }
  ~PooledPayload() override { clear_extension(&extension_); }

  const PacketHeader& header() const { return extension_.header; }

 private:
  friend class PacketPool;

  PacketExtension extension_;
  std::unique_ptr<unsigned char[]> room_;  // kept when the payload returns, so that a sum allocates only once
  PacketRef original_;                     // whose data this packet shares
};

/// As header_of, of a payload that is no pool's.
const PacketHeader& extension_header_of(const Payload& payload);

/// The header of a packet in flight. A payload without one is not a packet: throws InternalError.
inline const PacketHeader& header_of(const Payload& payload) {
  // Asking the payload for its extension is a call into the TLM library, several times a packet and hop.
  if (typeid(payload) == typeid(PooledPayload)) return static_cast<const PooledPayload&>(payload).header();
  return extension_header_of(payload);
}
const PacketHeader& PacketRef::header() const {
  return header_of(*payload_);
}

/// Makes packets and takes them back, so that a running simulation allocates none. One pool serves one
/// simulation and outlives all its modules.
class PacketPool : public tlm::tlm_mm_interface {
 public:
  /// `data_bytes`: the most element bytes one packet carries.
  explicit PacketPool(std::size_t data_bytes);
  ~PacketPool() override;
  PacketPool(const PacketPool&) = delete;
  PacketPool& operator=(const PacketPool&) = delete;

  /// A packet over data that outlives it (a source's pattern), or without data (`data` null: timing only).
  PacketRef make(const PacketHeader& header, std::uint64_t offset, const std::byte* data,
                 std::uint32_t bytes);
  /// A packet with room of its own for `bytes` of elements, for a sum; data_ptr may be written until it is
  /// sent.
  PacketRef make_with_room(const PacketHeader& header, std::uint64_t offset, std::uint32_t bytes);
  /// A packet with another header over the data of `original`, which it keeps alive (damaged or resent
  /// packets).
  PacketRef make_over(const PacketHeader& header, const PacketRef& original);

  /// Payloads ever allocated, and how many are in flight now.
  std::size_t allocated() const { return all_.size(); }
  std::size_t in_flight() const { return all_.size() - free_.size(); }

  void free(Payload* payload) override;

 private:
  PooledPayload& take(const PacketHeader& header, std::uint64_t offset, std::uint32_t bytes);

  std::size_t data_bytes_;
  std::vector<std::unique_ptr<PooledPayload>> all_;
  std::vector<PooledPayload*> free_;
};

/// The elements of a packet, null in timing-only runs.
inline const std::byte* data_of(const Payload& payload) {
  return reinterpret_cast<const std::byte*>(payload.get_data_ptr());
}

}  // namespace fredsim::hw
