#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/sweep/sqlite.h"
#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {

/// A folder with a small all-reduce, `t.jsonl`, and sweep files on `fred_d.yaml` or another configuration.
class SweepFolder {
 public:
  SweepFolder();

  /// Writes `s.yaml`: the configuration of this name, the trace, and `rest`.
  void sweep(const std::string& rest, const std::string& configuration_name = "fred_d") const;
  /// Runs `fredsim sweep s.yaml` with `arguments`.
  Outcome run(const std::vector<std::string>& arguments) const;
  /// All rows of a query on `o/sweep.sqlite`, values joined with |.
  std::vector<std::string> rows(const std::string& query, const std::string& out = "o") const;
  /// All tables but `timing`, a row a line.
  std::string content(const std::string& out) const;

  std::string operator/(const std::string& name) const { return folder_ / name; }
  const std::string& path() const { return folder_.path(); }

 private:
  Folder folder_;
};

/// A process that goes on while the test looks at what it does.
class Background {
 public:
  Background(const std::vector<std::string>& arguments, const std::string& directory);
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  /// Sends the signal and waits for the end; the exit code, or 128 and the signal that ended it.
  int end(int signal);
  bool running();

 private:
  int pid_ = 0;
  int status_ = 0;
};

/// A result without what depends on how and where it was run.
nlohmann::ordered_json comparable(const std::string& result);

/// The text of a sweep over buffers, latencies and m with this many values of each.
std::string grid(int buffers, int latencies, int middles);

/// Kills a sweep of this many points half-way, resumes it, and checks that all is there once, as single runs
/// give it.
void expect_survives_a_kill(const std::string& sweep, std::size_t points);

}  // namespace fredsim::tb::test
