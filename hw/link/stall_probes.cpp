#include "hw/link/stall_probes.h"

#include <fmt/format.h>

namespace fredsim::hw {

StallProbes::StallProbes(Recorder& recorder, const std::string& path) {
  for (std::size_t vc = 0; vc < virtual_channels; ++vc) {
    ProbeInfo info =
        waveform_only(fmt::format("{}.vc_{}.stall", path, to_string(static_cast<VirtualChannel>(vc))), "",
                      "what the first packet waits for: the link, or credit", ProbeKind::state);
    info.initial_state = "none";
    probes_.emplace_back(recorder, std::move(info));
  }
  states_ = {probes_[0].state("none"), probes_[0].state("link_busy"), probes_[0].state("no_credit")};
}

}  // namespace fredsim::hw
