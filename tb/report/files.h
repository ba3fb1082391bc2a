#pragma once

#include <string>
#include <vector>

#include "tb/report/html.h"

namespace fredsim::tb::report {

/// A result file, and the timeline beside it: of `r.json` that is `r.timeline.json`.
struct ResultFile {
  std::string name;  ///< without its folder
  Json result;
  std::string timeline_name;  ///< empty without one
  Json timeline;              ///< null without one
};

/// What a folder holds that a report is made of.
struct Files {
  std::vector<ResultFile> results;     ///< by name
  std::vector<std::string> databases;  ///< paths of *.sqlite, by name
  std::vector<std::string> left_out;   ///< other JSON files, each with what it is
};

/// Reads a folder; what lies in folders inside it is not looked at. Throws InputError for one that cannot be
/// read, for a JSON file that is broken, for a result file without the keys of one, and for a folder with
/// nothing to report.
Files read_files(const std::string& folder);

}  // namespace fredsim::tb::report
