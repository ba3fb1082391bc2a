#pragma once

#include <algorithm>
#include <cstdint>

namespace fredsim::test {

/// The share of a link's bandwidth (bytes/s) that a buffer of `packets` packets of `bytes` sustains over a
/// latency (s): min(1, n s / (2 L + s)) with s = bytes / bandwidth.
inline double buffer_law(std::uint64_t packets, double bytes, double bandwidth, double latency) {
  const double s = bytes / bandwidth;
  return std::min(1.0, static_cast<double>(packets) * s / (2 * latency + s));
}

}  // namespace fredsim::test
