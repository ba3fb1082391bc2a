#include "tb/cli/trace_output.h"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>

#include "hw/core/error.h"
#include "traces/format/summary.h"
#include "traces/format/write.h"

namespace fredsim::tb {

void write_trace(const hw::Workload& workload, const std::string& path) {
  const bool piped = path == "-";
  if (piped) {
    trace::write(workload, std::cout);
    if (!std::cout.flush()) throw hw::InputError("-o -: cannot be written");
  } else {
    trace::write(workload, path);
  }
  fmt::print(piped ? stderr : stdout, "{}: {}\n", piped ? "standard output" : path,
             trace::size_text(workload));
}

}  // namespace fredsim::tb
