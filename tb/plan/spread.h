#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hw/core/records.h"
#include "switch/fabric/tree.h"
#include "tb/plan/collectives.h"
#include "tb/plan/io_streams.h"
#include "tb/plan/plan.h"
#include "tb/plan/planes.h"

namespace fredsim::tb {

/// What a fabric asks of the streams of a plan.
class Spread {
 public:
  virtual ~Spread() = default;
  virtual std::uint32_t npus() const = 0;
  /// Of those that take part in loads; in flows and programs they are numbered behind the NPUs.
  virtual std::uint32_t io_controllers() const { return 0; }
  /// What controllers send for a load.
  virtual std::vector<Transfer> load_transfers(const hw::Operation&, hw::OperationId) const { return {}; }
  /// How fast a controller may broadcast beside all others; zero: as fast as its link.
  virtual hw::Bandwidth broadcast_pace() const { return {}; }
  /// The planes, of the level at which the stream turns around, that it is dealt out to packet by packet.
  virtual PlaneRange planes_of(const hw::Flow& stream) const = 0;
  /// How fast the streams of one endpoint collective, each from one NPU to another, may be injected; zero: as
  /// fast as can be.
  virtual std::vector<hw::Bandwidth> pace_of(
      const std::vector<std::pair<hw::NpuId, hw::NpuId>>& streams) const = 0;
};

/// A tree of switches. Streams that leave a subtree share its links upwards; one that may not go as fast as
/// its NPU's link is paced, or it would fill the input buffer of the first switch, where the streams to the
/// NPU's near peers wait behind it.
class TreeSpread : public Spread {
 public:
  TreeSpread(const sw::Tree& tree, const PlaneAssignment& planes, const PlanOptions& options)
      : tree_(tree), planes_(planes), options_(options) {}

  std::uint32_t npus() const override { return tree_.npus(); }
  std::uint32_t io_controllers() const override { return tree_.io_controllers(); }
  std::vector<Transfer> load_transfers(const hw::Operation& operation, hw::OperationId id) const override {
    return tb::load_transfers(operation, id, tree_.npus(), tree_.io_controllers());
  }
  hw::Bandwidth broadcast_pace() const override;
  PlaneRange planes_of(const hw::Flow& stream) const override;
  std::vector<hw::Bandwidth> pace_of(
      const std::vector<std::pair<hw::NpuId, hw::NpuId>>& streams) const override;

 private:
  const sw::Tree& tree_;
  const PlaneAssignment& planes_;
  const PlanOptions& options_;
};

}  // namespace fredsim::tb
