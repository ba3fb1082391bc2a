#include "hw/core/nearest.h"

#include <algorithm>
#include <cstddef>

namespace fredsim::hw {
namespace {

// In quarters of a letter, so that a slip of the shift key never outweighs a wrong letter.
constexpr std::size_t letter = 4;
constexpr std::size_t wrong_case = 1;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::size_t substitution(char a, char b) {
  if (a == b) return 0;
  return lower(a) == lower(b) ? wrong_case : letter;
}

/// Optimal string alignment (Damerau-Levenshtein without overlapping swaps).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_up(b.size() + 1), up(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j * letter;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(two_up, up);
    std::swap(up, row);
    row[0] = i * letter;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({up[j] + letter, row[j - 1] + letter, up[j - 1] + substitution(a[i - 1], b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_up[j - 2] + letter);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  const std::string* best = nullptr;
  std::size_t best_distance = 0;
  for (const std::string& entry : known) {
    const std::size_t longer = std::max(word.size(), entry.size());
    const std::size_t d = distance(word, entry);
    const bool near = d <= std::max<std::size_t>(2 * letter, longer * letter / 3) && d < longer * letter;
    if (near && (best == nullptr || d < best_distance)) {
      best = &entry;
      best_distance = d;
    }
  }
  return best == nullptr ? std::string() : *best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string entry = nearest(word, known);
  return entry.empty() ? entry : " (did you mean '" + entry + "'?)";
}

}  // namespace fredsim::hw
