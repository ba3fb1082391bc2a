#pragma once

#include <string>
#include <utility>

#include "hw/observe/probe.h"

namespace fredsim::sw {

/// What a control unit shows of itself. It keeps its own statistics.
inline hw::ProbeInfo control_probe(std::string path, const char* meaning, hw::ProbeKind kind) {
  hw::ProbeInfo info;
  info.path = std::move(path);
  info.meaning = meaning;
  info.kind = kind;
  info.statistics = false;
  return info;
}

/// A number of flows.
inline hw::ProbeInfo flows_probe(std::string path, const char* meaning) {
  hw::ProbeInfo info = control_probe(std::move(path), meaning, hw::ProbeKind::level);
  info.unit = "flows";
  return info;
}

}  // namespace fredsim::sw
