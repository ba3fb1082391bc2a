#pragma once

#include <functional>
#include <memory>
#include <systemc>

#include "accel/npu/npu_base.h"
#include "switch/fabric/fred_switch.h"

namespace fredsim::tb {

using NpuFactory = std::function<std::unique_ptr<accel::NpuBase>(
    sc_core::sc_module_name, const accel::NpuConfig&, const accel::Program&, const accel::NpuServices&)>;

/// accel::Npu.
std::unique_ptr<accel::NpuBase> make_npu(sc_core::sc_module_name name, const accel::NpuConfig& config,
                                         const accel::Program& program, const accel::NpuServices& services);

/// How a system's parts are made; put a part of your own in place of ours. A factory sees the configuration
/// of the part, so it can replace one and leave the others to the default.
struct Factories {
  NpuFactory npu = make_npu;
  sw::SwitchParts switch_parts;
};

}  // namespace fredsim::tb
