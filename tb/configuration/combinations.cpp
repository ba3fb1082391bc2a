#include "tb/configuration/combinations.h"

#include <fmt/format.h>

#include <set>

#include "hw/core/error.h"
#include "tb/configuration/parameter.h"

namespace fredsim::tb {
namespace {

class Check {
 public:
  Check(const Configuration& configuration, Problems& problems)
      : configuration_(configuration), problems_(problems) {}

  void packet_sizes() {
    const PacketConfiguration& packet = configuration_.packet;
    if (packet.header >= packet.bytes) {
      refuse({"packet.header", "packet.bytes"},
             fmt::format(
                 "a header of {} leaves no room for data in a packet of {}; packet.header must be less than "
                 "packet.bytes",
                 value("packet.header"), value("packet.bytes")));
    } else if (packet.payload() < hw::size_of(hw::DType::fp32)) {
      // The widest type: a trace may name it for any of its operations.
      refuse(
          {"packet.bytes", "packet.header"},
          fmt::format(
              "a packet of {} carries {} of data behind its header of {}; one element of fp32 or int32 needs "
              "4 B",
              value("packet.bytes"), hw::bytes_to_string(packet.payload()), value("packet.header")));
    }
    if (packet.control < packet.header) {
      refuse(
          {"packet.control", "packet.header"},
          fmt::format("a control packet of {} cannot hold its header of {}; packet.control must be at least "
                      "packet.header",
                      value("packet.control"), value("packet.header")));
    }
  }

  /// Packets move only as a whole (virtual cut-through, FRED sec. 6.2.3), so a smaller buffer never gets one.
  void buffer_sizes() {
    for (const Parameter& parameter : parameters()) {
      if (topic_of(parameter) != "buffer") continue;
      const bool control = parameter.key.substr(parameter.key.rfind('.')) == ".control";
      const std::string packet_key = control ? "packet.control" : "packet.bytes";
      const hw::Capacity capacity = hw::parse_capacity(parameter.print(configuration_));
      const std::uint64_t packet = control ? configuration_.packet.control : configuration_.packet.bytes;
      if (capacity.is_unlimited() || capacity.bytes() >= packet) continue;
      refuse({parameter.key, parameter.default_from, packet_key},
             fmt::format("{} of {} cannot hold a packet of {} ({}); make the buffer at least as large as "
                         "the packet",
                         parameter.key, value(parameter.key), value(packet_key), packet_key));
    }
  }

 private:
  std::string value(const std::string& key) const { return find_parameter(key)->print(configuration_); }

  /// Blame the first of `keys` that the user gave, each only once: one small `buffer.dp` is one mistake,
  /// however many port classes take their size from it.
  void refuse(const std::vector<std::string>& keys, const std::string& what) {
    for (const std::string& key : keys) {
      const auto found = configuration_.given.find(key);
      if (found == configuration_.given.end()) continue;
      if (blamed_.insert(key).second) problems_.add(found->second.place, key, what);
      return;
    }
    throw hw::InternalError("the defaults contradict each other: " + what);
  }

  const Configuration& configuration_;
  Problems& problems_;
  std::set<std::string> blamed_;
};

}  // namespace

void check_combinations(const Configuration& configuration, Problems& problems) {
  Check check(configuration, problems);
  check.packet_sizes();
  check.buffer_sizes();
}

}  // namespace fredsim::tb
