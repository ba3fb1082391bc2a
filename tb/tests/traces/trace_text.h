#pragma once

#include <sstream>
#include <string>

#include "traces/format/read.h"
#include "traces/format/write.h"

namespace fredsim::trace::testing {

/// A line that is right.
inline const char* const ok = R"({"id":"ok","type":"barrier","npus":[0,1]})"
                              "\n";

/// A trace of `npus` NPUs that holds these lines, as if from the file t.jsonl.
inline ReadResult read_lines(const std::string& lines, std::uint32_t npus = 8) {
  std::istringstream in("{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":" + std::to_string(npus) +
                        ",\"name\":\"test\"}\n" + lines);
  return read(in, "t.jsonl");
}

inline ReadResult read_text(const std::string& text) {
  std::istringstream in(text);
  return read(in, "t.jsonl");
}

inline std::string write_text(const hw::Workload& workload) {
  std::ostringstream out;
  write(workload, out);
  return out.str();
}

/// All problems, one a line.
inline std::string text_of(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += to_string(problem) + "\n";
  return text;
}

}  // namespace fredsim::trace::testing
