#pragma once

#include <utility>
#include <vector>

#include "switch/mesh/mesh.h"
#include "tb/plan/spread.h"

namespace fredsim::tb {

/// A mesh: one plane. The streams of an endpoint collective that share a link share its rate. One that is
/// injected no faster leaves the buffer at the NPU's router to the streams in other directions.
class MeshSpread : public Spread {
 public:
  /// `link`: of the links between routers.
  MeshSpread(sw::Mesh mesh, hw::Bandwidth link, hw::Bandwidth npu_link, hw::Bandwidth io_link = {})
      : mesh_(mesh), link_(link), npu_link_(npu_link), io_link_(io_link) {}

  std::uint32_t npus() const override { return mesh_.nodes(); }
  std::uint32_t io_controllers() const override { return mesh_.io_controllers(); }
  hw::Bandwidth broadcast_pace() const override;
  std::vector<Transfer> load_transfers(const hw::Operation& operation, hw::OperationId id) const override {
    return mesh_load_transfers(operation, id, mesh_);
  }
  PlaneRange planes_of(const hw::Flow&) const override { return {}; }
  std::vector<hw::Bandwidth> pace_of(
      const std::vector<std::pair<hw::NpuId, hw::NpuId>>& streams) const override;

 private:
  sw::Mesh mesh_;
  hw::Bandwidth link_, npu_link_, io_link_;
};

}  // namespace fredsim::tb
