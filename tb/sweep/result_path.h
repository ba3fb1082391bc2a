#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace fredsim::tb {

/// One number of a result file, by its path: `simulated_ns`, `operations[0].algbw_gbytes_per_s`,
/// `links[npu0_to_switch].utilization` (the entry with this name or id), or a function of one quantity of all
/// entries of a list, `max(links[*].stalled_ns.no_credit)`; functions are min, max, sum and mean.
class ResultPath {
 public:
  /// Throws InputError, without a place, for a text that is no path.
  explicit ResultPath(const std::string& text);

  /// The number in a result; nothing where the path leads to none. Truth is 0 or 1.
  std::optional<double> in(const nlohmann::ordered_json& result) const;
  const std::string& text() const { return text_; }

 private:
  enum class Function : std::uint8_t { none, min, max, sum, mean };
  struct Step {
    enum class Kind : std::uint8_t { member, index, name, all } kind;
    std::string name;       ///< of a member or an entry
    std::size_t index = 0;  ///< of an entry
  };

  void parse_steps(const std::string& path);
  void collect(const nlohmann::ordered_json& at, std::size_t step, std::vector<double>& numbers) const;

  std::string text_;
  Function function_ = Function::none;
  std::vector<Step> steps_;
};

}  // namespace fredsim::tb
