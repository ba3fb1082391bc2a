#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hw/core/quantity.h"

namespace fredsim::hw {

/// Collects what took place from when to when: operations at NPUs, packets of chosen flows, long stalls.
/// There is one only when a timeline is asked for; modules know it by a pointer that is null otherwise.
class Timeline {
 public:
  struct Options {
    std::vector<std::string> flows = {};  ///< globs: packets of the flows with these names are kept
    Time stalls = Time::max();            ///< stalls of this length and more are kept
  };

  /// What a span is about; of operations that communicate, what of an NPU's time they count as when it does
  /// not compute.
  enum class Kind : std::uint8_t { compute, mp, pp, dp, stream, load, packet, stall };

  struct Span {
    std::uint32_t place = 0;  ///< a name: the module
    std::uint32_t row = 0;    ///< a name: what of the module
    std::uint32_t name = 0;   ///< a name: the operation, packet or cause
    Kind kind = Kind::compute;
    bool ended = false;
    Time begin;
    Time end;  ///< meaningful if it has ended
  };

  explicit Timeline(Options options) : options_(std::move(options)) {}

  /// The number of a name; the same name gives the same number.
  std::uint32_t name(std::string_view text);
  const std::string& text(std::uint32_t name) const { return *texts_[name]; }

  /// Something begins at `at`; the result names it to end().
  std::size_t begin(Kind kind, std::uint32_t place, std::uint32_t row, std::uint32_t name, Time at);
  void end(std::size_t span, Time at);
  /// Something that lasted from `begin` to `end`.
  void add(Kind kind, std::uint32_t place, std::uint32_t row, std::uint32_t name, Time begin, Time end);
  /// Something of a virtual channel waited; kept if it was long enough.
  void stall(std::string_view place, std::string_view channel, std::string_view cause, Time begin, Time end) {
    if (begin < end && end - begin >= options_.stalls)
      add(Kind::stall, name(place), name("stalled " + std::string(channel)), name(cause), begin, end);
  }

  /// Tells the names of all flows, by FlowId. Throws InputError for a glob that selects none.
  void set_flows(const std::vector<std::string>& names);
  /// Packet `sequence` of a flow, from being queued at its source to the tail being at `place`; kept if the
  /// flow was chosen.
  void packet(std::uint32_t flow, std::string_view place, std::uint64_t sequence, Time begin, Time end) {
    if (flow < chosen_.size() && chosen_[flow] != none) keep_packet(flow, place, sequence, begin, end);
  }

  /// In the order of their beginnings being told.
  const std::vector<Span>& spans() const { return spans_; }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  void keep_packet(std::uint32_t flow, std::string_view place, std::uint64_t sequence, Time begin, Time end);

  Options options_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> texts_;
  std::vector<std::uint32_t> chosen_;  ///< by flow: its name, or none
  std::vector<Span> spans_;
};

}  // namespace fredsim::hw
