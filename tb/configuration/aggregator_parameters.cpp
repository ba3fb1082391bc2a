#include <array>
#include <string>
#include <vector>

#include "tb/configuration/declaration.h"
#include "tb/configuration/parameter_groups.h"
#include "tb/configuration/special_value.h"

namespace fredsim::tb {

template <>
const std::vector<std::string>& names_of<FpgaMemory>() {
  static const std::vector<std::string> names{"u280", "u280_hbm", "u55c", "u55c_hbm", "v80", "v80_hbm"};
  return names;
}
template <>
const std::vector<std::string>& names_of<agg::Organization>() {
  static const std::vector<std::string> names{"accumulate_on_arrival", "buffer_per_source"};
  return names;
}
template <>
const std::vector<std::string>& names_of<agg::Accumulator>() {
  static const std::vector<std::string> names{"as_wide", "fp32"};
  return names;
}
template <>
const std::vector<std::string>& names_of<AggregatorPolicy>() {
  static const std::vector<std::string> names{"backpressure", "pace", "drop", "bypass"};
  return names;
}
template <>
const std::vector<std::string>& names_of<TimeoutAction>() {
  static const std::vector<std::string> names{"wait", "partial", "abort"};
  return names;
}

namespace {

struct Card {
  std::uint64_t memory_bytes;
  std::uint64_t gigabytes_per_s;  ///< 0: no limit
};

/// In the order of FpgaMemory. Block RAM and UltraRAM can be read and written everywhere at once.
constexpr std::array<Card, 6> cards = {{{44'700'000, 0},
                                        {8'000'000'000, 460},
                                        {44'700'000, 0},
                                        {16'000'000'000, 460},
                                        {88'200'000, 0},
                                        {32'000'000'000, 819}}};

const Card& card_of(const AggregatorConfiguration& aggregator) {
  return cards.at(static_cast<std::size_t>(aggregator.preset));
}

struct PresetMemoryText {
  static constexpr ValueType type = ValueType::capacity;
  static std::optional<hw::Capacity> parse(const std::string& text) {
    const auto memory = parse_or("preset", text, hw::parse_capacity);
    if (memory && !memory->is_unlimited() && memory->bytes() == 0) {
      throw hw::InputError(in_quotes(text) + " is out of range");
    }
    return memory;
  }
  static std::string print(const std::optional<hw::Capacity>& memory) {
    return memory ? hw::to_string(*memory) : "preset";
  }
};

struct PresetBandwidthText {
  static constexpr ValueType type = ValueType::bandwidth;
  static std::optional<hw::Bandwidth> parse(const std::string& text) {
    return parse_or("preset", text, BandwidthLimitText::parse);
  }
  static std::string print(const std::optional<hw::Bandwidth>& bandwidth) {
    return bandwidth ? BandwidthLimitText::print(*bandwidth) : "preset";
  }
};

}  // namespace

hw::Capacity AggregatorConfiguration::memory() const {
  return own_memory ? *own_memory : hw::Capacity::bytes(card_of(*this).memory_bytes);
}

hw::Bandwidth AggregatorConfiguration::memory_bandwidth() const {
  if (own_memory_bandwidth) return *own_memory_bandwidth;
  const std::uint64_t rate = card_of(*this).gigabytes_per_s;
  return rate == 0 ? hw::Bandwidth() : hw::Bandwidth::bits_per_second(rate * 8'000'000'000);
}

void add_aggregator_parameters(ParameterList& list) {
  const auto add = [&](auto declaration) { list.push_back(declaration.only_in(SystemKind::wan)); };
  add(enumeration(
          "aggregator.preset", [](auto& c) -> auto& { return c.aggregator.preset; })
          .defaults_to("u280")
          .means(
              "The memory of an AMD Alveo card: on chip 44.7 MB (u280, u55c) and 88.2 MB (v80), or HBM of 8 "
              "GB (u280) and 16 GB (u55c) at 460 GB/s and of 32 GB at 819 GB/s (v80).")
          .source("AMD's data sheets: block RAM and UltraRAM together, and HBM"));
  add(special<PresetMemoryText>(
          "aggregator.memory", [](auto& c) -> auto& { return c.aggregator.own_memory; })
          .defaults_to("preset")
          .requires_that("at least 1 B, unlimited, or preset, with room for one packet of a clique")
          .means("Slot memory of each aggregator; preset: as much as aggregator.preset has.")
          .source("free choice"));
  add(enumeration(
          "aggregator.organization", [](auto& c) -> auto& { return c.aggregator.organization; })
          .defaults_to("accumulate_on_arrival")
          .means("Whether packets are added as they come, or kept by source and added in a fixed order.")
          .source("free choice"));
  add(enumeration(
          "aggregator.accumulator", [](auto& c) -> auto& { return c.aggregator.accumulator; })
          .defaults_to("fp32")
          .means("Accumulators as wide as the elements, or FP32 for FP16 and BF16.")
          .source("free choice: 9 x 8192 overflows FP16"));
  add(enumeration(
          "aggregator.policy", [](auto& c) -> auto& { return c.aggregator.policy; })
          .defaults_to("pace")
          .means("How memory is kept from overflowing, or what becomes of packets without room.")
          .source("free choice"));
  add(time(
          "aggregator.timeout", [](auto& c) -> auto& { return c.aggregator.timeout; })
          .range("0 s", "1000 s")
          .defaults_to("1 s")
          .means("How long, beyond a round trip, no sum may pass before what is missing is asked for again; "
                 "0 s: never.")
          .source("free choice"));
  add(integer(
          "aggregator.retries", [](auto& c) -> auto& { return c.aggregator.retries; })
          .range("0", "1000")
          .defaults_to("3")
          .means("How often it is asked for before the source is reported.")
          .source("free choice"));
  add(enumeration(
          "aggregator.on_timeout", [](auto& c) -> auto& { return c.aggregator.on_timeout; })
          .defaults_to("wait")
          .means("What follows a report: wait for the source, pass on sums without it, or give up the round.")
          .source("free choice"));
  add(integer(
          "aggregator.width", [](auto& c) -> auto& { return c.aggregator.width; })
          .unit("bits")
          .range("0", "65536")
          .defaults_to("512")
          .means("Width of the data path; 0: no limit.")
          .source("512 bits at 322 MHz are 165 Gb/s"));
  add(real(
          "aggregator.clock", [](auto& c) -> auto& { return c.aggregator.clock; })
          .unit("Hz")
          .range("1e3", "1e11")
          .defaults_to("322e6")
          .means("Clock of the data path.")
          .source("the usual clock of a 100 Gb/s MAC on such FPGAs"));
  add(special<PresetBandwidthText>(
          "aggregator.memory_bandwidth", [](auto& c) -> auto& { return c.aggregator.own_memory_bandwidth; })
          .defaults_to("preset")
          .requires_that("a bandwidth, unlimited, or preset")
          .means("Of the slot memory; preset: what aggregator.preset has, which is without limit on chip.")
          .source("free choice"));
}

}  // namespace fredsim::tb
