#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hw/core/error.h"
#include "tb/tests/traces/chakra_writer.h"
#include "traces/chakra/import.h"

namespace fredsim::trace::testing {

/// Two process groups of the same ranks, as the metadata of a file names them.
inline const char* const two_groups = R"([{"pg_name":"1","ranks":[0,1]},{"pg_name":"2","ranks":[0,1]}])";

/// Files of ranks in a folder of their own, and what becomes of importing them.
class Chakra : public ::testing::Test {
 protected:
  void rank(int rank, const std::vector<Node>& nodes, bool gzip = false) { raw(rank, file_of(nodes), gzip); }
  void raw(int rank, const std::string& text, bool gzip = false) {
    write_file(folder_ / ("t." + std::to_string(rank) + ".et"), text, gzip);
  }
  hw::Workload import() { return import_chakra(folder_ / "t"); }
  std::string refusal() {
    try {
      import();
    } catch (const hw::InputError& error) {
      return error.what();
    }
    return "imported";
  }
  void expect_refusal(const std::vector<std::string>& words) {
    const std::string text = refusal();
    for (const std::string& word : words)
      EXPECT_NE(text.find(word), std::string::npos) << word << "\nin: " << text;
  }

  Folder folder_;
};

}  // namespace fredsim::trace::testing
