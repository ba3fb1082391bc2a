#pragma once

#include <string>

#include "tb/report/html.h"

namespace fredsim::tb::report {

/// How the time of each NPU (or site) is spent: computing, waiting for communication of each kind, neither.
std::string time_shares_picture(const Json& result);

/// The histograms of the buffers (or slot memories) that held most; `count` of them at the most. Empty if the
/// result has no histograms, or all were empty all the time.
std::string histograms_picture(const Json& result, std::size_t count);

/// Operations by NPU over time. `timeline` is the content of a timeline file, or null: each operation then
/// stands at all its members from its first start to its last end. `left_out` says what is not drawn.
std::string operations_picture(const Json& result, const Json& timeline, std::string& left_out);

}  // namespace fredsim::tb::report
