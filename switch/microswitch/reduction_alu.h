#pragma once

#include <cstdint>
#include <string>

#include "hw/link/context.h"
#include "hw/link/packet.h"

namespace fredsim::sw {

/// Adds (or takes the minimum or maximum of) two packets of one flow, element by element.
class ReductionAlu {
 public:
  /// `owner` names the module in messages.
  ReductionAlu(hw::Context& context, std::string owner) : context_(context), owner_(std::move(owner)) {}

  /// A fresh packet with a op b; without data in timing-only runs. Both must be the same packet of the same
  /// flow, or InternalError is thrown with the owner and the time.
  hw::PacketRef reduce(const hw::Payload& a, const hw::Payload& b);

  std::uint64_t reductions() const { return reductions_; }

 private:
  hw::Context& context_;
  std::string owner_;
  std::uint64_t reductions_ = 0;
};

}  // namespace fredsim::sw
