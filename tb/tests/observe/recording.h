#pragma once

#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/observe/probe.h"
#include "hw/observe/recorder.h"
#include "tb/tests/support/folder.h"

namespace fredsim::hw::test {

using tb::test::Folder;
using tb::test::read_file;

/// A change in the order of the calls.
struct Announced {
  std::int64_t at_fs;
  std::int64_t amount;
  bool relative;
};

/// The value at the end of every femtosecond from 0 to `end_fs`, by going through all of them.
std::vector<std::int64_t> evaluate(std::int64_t initial, const std::vector<Announced>& calls,
                                   std::int64_t end_fs);

/// A recorder with a clock to set, and probes whose changes are remembered for evaluate().
struct Simulation {
  Simulation() : recorder([this] { return now; }) {}

  std::size_t add(ProbeInfo info);
  void set(std::size_t probe, std::int64_t at_fs, std::int64_t value);
  void change(std::size_t probe, std::int64_t at_fs, std::int64_t delta);
  /// `steps` random changes at now or later while now moves on to about `end_fs`: most near, some far, many
  /// at equal instants.
  void play(std::mt19937_64& random, int steps, std::int64_t end_fs);
  /// What the waveform should say of `probe` at the end of every femtosecond.
  std::vector<std::string> expected(std::size_t probe, std::int64_t end_fs) const;

  Time now;
  Recorder recorder;
  std::deque<Probe> probes;
  std::vector<std::vector<Announced>> calls;
  std::vector<std::string> state_names;  ///< by number, as far as add() and play() made them
};

/// A number, a level, a flag and a state, in two scopes.
void add_one_of_each(Simulation& simulation);

}  // namespace fredsim::hw::test
