#include "tb/systems/length.h"

#include <fmt/format.h>

#include "hw/core/error.h"

namespace fredsim::tb {

void check_length(const hw::Workload& workload, const Plan& plan, hw::Bandwidth npu_bandwidth) {
  const double longest = hw::Time::max().seconds();
  for (std::size_t n = 0; n < plan.programs.size(); ++n) {
    double computing = 0, sent_bytes = 0;
    for (const accel::Part& part : plan.programs[n].parts) {
      computing += part.duration.seconds();
      for (const accel::SendStream& send : part.sends) sent_bytes += static_cast<double>(send.bytes);
    }
    const double sending = sent_bytes / npu_bandwidth.bytes_per_second();
    if (computing < longest && sending < longest) continue;
    throw hw::InputError(fmt::format(
        "{}: what NPU {} {} takes at least {:.4g} s; {:.4g} s is the longest simulated time", workload.source,
        n, computing < longest ? "sends" : "computes", computing < longest ? sending : computing, longest));
  }
}

}  // namespace fredsim::tb
