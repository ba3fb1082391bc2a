#include "hw/link/faults.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fredsim::hw {
namespace {

/// FNV-1a.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers with every library.
std::uint64_t next_number(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::uint64_t mixed(std::uint64_t seed, std::uint64_t name) {
  return next_number(seed) ^ name;
}

}  // namespace

LinkFaults::Script::Script(std::vector<LinkFaultPlan::Range> ranges) : ranges_(std::move(ranges)) {
  std::sort(ranges_.begin(), ranges_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

bool LinkFaults::Script::next() {
  const std::uint64_t number = count_++;
  while (at_ < ranges_.size() && ranges_[at_].last < number) ++at_;
  // Ranges may overlap, but only one behind the first can still hold a number that the first does not.
  return std::any_of(ranges_.begin() + static_cast<std::ptrdiff_t>(at_), ranges_.end(),
                     [number](const auto& r) { return r.first <= number && number <= r.last; });
}

LinkFaults::LinkFaults(LinkFaultPlan plan, std::uint64_t seed, std::string_view link)
    : plan_(std::move(plan)),
      packets_(std::move(plan_.packets)),
      acks_(std::move(plan_.acks)),
      nacks_(std::move(plan_.nacks)),
      state_(mixed(seed, hash_of(link))) {}

Fate LinkFaults::packet(const PacketHeader& header, Time enters, Time leaves) {
  // Every packet takes its number and its place, whatever becomes of it.
  const bool named = header.vc != VirtualChannel::control && packets_.next();
  const bool wrong = bit_error(header.wire_bytes);
  if (down(enters, leaves)) return Fate::dropped;
  return named || wrong || single(header) ? Fate::damaged : Fate::delivered;
}

Fate LinkFaults::answer(Answer answer, std::uint32_t bytes, Time enters, Time leaves) {
  const bool named = (answer == Answer::ack ? acks_ : nacks_).next();
  const bool wrong = bit_error(bytes);
  if (down(enters, leaves)) return Fate::dropped;
  return named || wrong ? Fate::damaged : Fate::delivered;
}

bool LinkFaults::down(Time enters, Time leaves) const {
  return std::any_of(plan_.down.begin(), plan_.down.end(), [&](const LinkFaultPlan::Window& window) {
    return enters < window.until && window.from < leaves;
  });
}

bool LinkFaults::bit_error(std::uint32_t bytes) {
  if (plan_.bit_error_rate == 0) return false;
  if (bytes != bytes_) {
    bytes_ = bytes;
    // 1 - (1 - rate)^bits, without losing small rates.
    probability_ = -std::expm1(8.0 * bytes * std::log1p(-plan_.bit_error_rate));
  }
  constexpr double scale = 1.0 / (std::uint64_t{1} << 53);
  return static_cast<double>(next_number(state_) >> 11) * scale < probability_;
}

bool LinkFaults::single(const PacketHeader& header) {
  const auto found = std::find_if(plan_.singles.begin(), plan_.singles.end(), [&](const auto& single) {
    return single.flow == header.flow && single.sequence == header.sequence;
  });
  if (found == plan_.singles.end()) return false;
  plan_.singles.erase(found);
  return true;
}

}  // namespace fredsim::hw
