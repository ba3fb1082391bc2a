#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/observe/signal.h"

namespace fredsim::hw {

/// A value change dump (IEEE 1364 sec. 18) in the dialect that GTKWave and vcd2fst read: timescale 1 fs,
/// states as string variables, levels and numbers as 64-bit integers written without leading zeros (of a
/// negative number all 64 bits in two's complement). There is no date, so equal simulations give equal bytes.
class VcdFile {
 public:
  /// Opens `path` for writing. Throws InputError. `states` names the values of state signals. With
  /// `placeholder_date` there is a date section without a date, which keeps vcd2fst from putting in the
  /// present one.
  VcdFile(const std::string& path, const std::deque<std::string>& states, bool placeholder_date);
  ~VcdFile();
  VcdFile(const VcdFile&) = delete;
  VcdFile& operator=(const VcdFile&) = delete;

  /// Nothing is written beyond `bytes`: the dump then ends with the last instant that fits.
  void set_limit(std::uint64_t bytes) { limit_ = bytes; }

  void write_header(const std::vector<const ProbeInfo*>& signals);
  /// The values at `at`, with which the recorded span begins.
  void write_initial(Time at, const std::vector<std::int64_t>& values);
  /// Changes in time order, each signal at most once an instant.
  void write_change(std::int64_t at_fs, std::uint32_t slot, std::int64_t value) {
    if (at_fs != instant_fs_) begin_instant(at_fs);
    if (stopped_) return;
    put_value(slot, value);
    ++changes_;
  }
  /// How many bytes a change takes, how many the time before an instant's changes takes at most, and the
  /// initial values at most.
  std::uint64_t value_bytes(std::uint32_t slot, std::int64_t value) const;
  static constexpr std::uint64_t most_time_bytes = 21;
  std::uint64_t most_initial_bytes() const;

  /// The end of the recorded span; closes the file.
  void close(Time end);

  bool stopped() const { return stopped_; }
  bool limit_reached() const { return limit_reached_; }
  /// What the system said when writing failed, else empty.
  const std::string& failure() const { return failure_; }
  /// Whether the initial values, at least, are in the dump.
  bool has_values() const { return last_instant_fs_ >= 0; }
  std::int64_t last_instant_fs() const { return last_instant_fs_; }
  std::uint64_t changes() const { return changes_; }
  std::uint64_t bytes() const { return written_ + size_; }

 private:
  struct Variable {
    ProbeKind kind;
    std::uint8_t length;       ///< of `code`
    std::array<char, 6> code;  ///< identifier and newline: 94^5 signals
  };

  void begin_instant(std::int64_t at_fs);
  void end_instant();
  void put_value(std::uint32_t slot, std::int64_t value);
  void put(std::string_view text);
  char* room(std::size_t bytes);
  void flush();

  std::FILE* file_;
  const std::deque<std::string>& states_;
  std::vector<std::string> escaped_states_;
  const bool placeholder_date_;
  std::optional<std::uint64_t> limit_;
  std::vector<Variable> variables_;
  std::vector<char> buffer_;
  std::size_t size_ = 0;               ///< of what the buffer holds
  std::size_t instant_begin_ = 0;      ///< where in the buffer the present instant begins
  std::uint64_t written_ = 0;          ///< bytes that have left the buffer
  std::int64_t instant_fs_ = -1;       ///< the one being written
  std::int64_t last_instant_fs_ = -1;  ///< the last one that is whole
  std::uint64_t changes_ = 0;
  std::uint64_t whole_changes_ = 0;  ///< those of whole instants
  bool stopped_ = false;
  bool limit_reached_ = false;
  std::string failure_;
};

/// `text` as the value of a VCD string, with C's octal escapes (GTKWave and vcd2fst undo them) for blanks,
/// quotes, question marks, backslashes, control characters and bytes outside ASCII. An empty text becomes a
/// dash.
std::string escape_vcd_string(std::string_view text);

}  // namespace fredsim::hw
