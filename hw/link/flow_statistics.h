#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/core/error.h"
#include "hw/core/histogram.h"
#include "hw/core/ids.h"
#include "hw/core/time_sum.h"

namespace fredsim::hw {

/// What the packets of one flow went through, added up over all receivers.
struct FlowStatistics {
  std::uint64_t packets = 0;  ///< delivered to receivers
  LatencyHistogram latency;   ///< queued at the source (a sum: its last operand) to tail delivered
  TimeSum queued;  ///< waiting for partners, route set, staging, link or credit, summed over switches
};

/// Statistics of every flow of the fabric, by FlowId.
class FlowTable {
 public:
  explicit FlowTable(std::size_t flows) : flows_(flows) {}

  /// Throws InternalError for a flow that the table was not made for.
  FlowStatistics& operator[](FlowId flow) { return flows_[place_of(flow)]; }
  const FlowStatistics& operator[](FlowId flow) const { return flows_[place_of(flow)]; }
  std::size_t size() const { return flows_.size(); }

 private:
  std::size_t place_of(FlowId flow) const {
    if (flow.value >= flows_.size()) {
      throw InternalError("flow " + std::to_string(flow.value) + " is unknown: this simulation has " +
                          std::to_string(flows_.size()) + " flows");
    }
    return flow.value;
  }

  std::vector<FlowStatistics> flows_;
};

}  // namespace fredsim::hw
