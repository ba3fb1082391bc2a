#pragma once

#include <string>
#include <vector>

#include "tb/tests/support/folder.h"

namespace fredsim::tb::test {

/// What became of a program.
struct Outcome {
  int exit_code = -1;
  int signal = 0;  ///< that ended it, 0 for none
  std::string out;
  std::string error;
  double user_seconds = 0;  ///< processor time
};

/// Runs a program with nothing on its standard input, in `directory` or (empty) in the present one.
Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                    const std::string& directory = "");
/// Path of `fredsim` as the build has made it.
std::string program_path();
/// Runs it.
Outcome fredsim(const std::vector<std::string>& arguments, const std::string& directory = "");

/// The path of a program that the shell would find; empty when there is none.
std::string find_program(const std::string& name);

/// Of the source tree.
std::string source_path(const std::string& path);
/// `tb/configs/NAME.yaml`.
std::string configuration(const std::string& name);
std::string single_switch();
/// `traces/samples/NAME.jsonl`.
std::string sample(const std::string& name);

}  // namespace fredsim::tb::test
