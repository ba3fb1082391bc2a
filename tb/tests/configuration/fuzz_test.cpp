#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "hw/core/error.h"
#include "switch/fabric/tree.h"
#include "tb/configuration/configuration.h"

namespace fredsim::tb {
namespace {

/// From the environment, to replay a failure, or fixed.
std::uint64_t test_seed() {
  const char* given = std::getenv("FREDSIM_TEST_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : 20250701;
  std::cout << "FREDSIM_TEST_SEED=" << seed << "\n";
  return seed;
}

std::string good_file(const std::string& name) {
  std::ifstream file(FREDSIM_SOURCE_DIR "/tb/configs/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Anything but a configuration or an InputError with a message ends the test.
bool accepted(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    const Configuration configuration = parse_configuration(text, "f.yaml", sets);
    EXPECT_FALSE(configuration.effective().empty());
    // What is accepted can be built.
    const sw::TreeShape shape = configuration.tree_shape();
    EXPECT_EQ(sw::Tree(shape).switches().size(), shape.switches());
    return true;
  } catch (const hw::InputError& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
    return false;
  }
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return random_() % n; }

  void change_bytes(std::string& text, std::size_t count) {
    for (std::size_t i = 0; i < count && !text.empty(); ++i) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, 1 + below(8));
          break;
        case 2:
          text.insert(at, 1, static_cast<char>(below(128)));
          break;
        case 3:
          text.insert(at, text.substr(below(text.size()), below(20)));
          break;
      }
    }
  }

  void insert_tokens(std::string& text, std::size_t count) {
    static const std::vector<std::string> tokens{": ",
                                                 "- ",
                                                 "? ",
                                                 "[",
                                                 "]",
                                                 "{",
                                                 "}",
                                                 ", ",
                                                 "&a ",
                                                 "*a ",
                                                 "!!int ",
                                                 "! ",
                                                 "|\n",
                                                 ">-\n",
                                                 "'",
                                                 "\"",
                                                 "#",
                                                 "\n---\n",
                                                 "\n...\n",
                                                 "%YAML 1.2\n",
                                                 "<<: ",
                                                 "~",
                                                 "null",
                                                 "\t",
                                                 "\r",
                                                 "\n",
                                                 "\n  ",
                                                 "unlimited",
                                                 "-1",
                                                 "1e999",
                                                 "nan",
                                                 "0x1p9",
                                                 "system: tree\n",
                                                 "buffer.dp: 1 B\n",
                                                 "\xef\xbb\xbf",
                                                 "\\x"};
    for (std::size_t i = 0; i < count; ++i) text.insert(below(text.size() + 1), tokens[below(tokens.size())]);
  }

 private:
  std::mt19937_64 random_;
};

TEST(Fuzz, ChangedBytesAreReadOrRefused) {
  for (const char* name : {"single_switch.yaml", "tree_1024.yaml"}) {
    const std::string good = good_file(name);
    ASSERT_TRUE(accepted(good));
    Mutator mutator(test_seed());
    int read = 0;
    for (int i = 0; i < 2000; ++i) {
      SCOPED_TRACE(i);
      std::string text = good;
      mutator.change_bytes(text, 1 + mutator.below(8));
      read += accepted(text);
    }
    // Both happen: many bytes are comment, the others are not.
    EXPECT_GT(read, 20) << name;
    EXPECT_LT(read, 1900) << name;
  }
}

TEST(Fuzz, InsertedYamlTokensAreReadOrRefused) {
  const std::string good =
      "system: switch\nseed: 4\nswitch: {ports: 6}\nbuffer:\n  l1.down:\n    dp: 24 KiB\n";
  ASSERT_TRUE(accepted(good));
  Mutator mutator(test_seed());
  int read = 0;
  for (int i = 0; i < 4000; ++i) {
    SCOPED_TRACE(i);
    std::string text = good;
    mutator.insert_tokens(text, 1 + mutator.below(4));
    read += accepted(text);
  }
  EXPECT_GT(read, 20);
  EXPECT_LT(read, 3900);
}

TEST(Fuzz, ChangedSettingsAreReadOrRefused) {
  Mutator mutator(test_seed());
  const std::vector<std::string> good{"seed=4", "link.latency=3.3 ns", "buffer.l1.down.dp=24 KiB",
                                      "npu.flops=1e12", "switch.abstraction=microswitch"};
  for (int i = 0; i < 2000; ++i) {
    SCOPED_TRACE(i);
    std::vector<std::string> sets = good;
    mutator.change_bytes(sets[mutator.below(sets.size())], 1 + mutator.below(3));
    accepted("system: switch\n", sets);
  }
}

TEST(Fuzz, RandomTreesAreReadOrRefused) {
  Mutator mutator(test_seed());
  int read = 0;
  for (int i = 0; i < 2000; ++i) {
    SCOPED_TRACE(i);
    std::vector<std::string> sets{"tree.levels=" + std::to_string(1 + mutator.below(6)),
                                  "tree.children=" + std::to_string(1 + mutator.below(4)),
                                  "tree.io_controllers=" + std::to_string(mutator.below(1000))};
    for (std::size_t level = 2; level <= 6; ++level) {
      const std::string at = "tree.l" + std::to_string(level);
      if (mutator.below(8) == 0) sets.push_back(at + ".children=" + std::to_string(1 + mutator.below(64)));
      if (mutator.below(8) == 0) sets.push_back(at + ".planes=" + std::to_string(1 + mutator.below(64)));
    }
    read += accepted("system: tree\n", sets);
  }
  EXPECT_GT(read, 200);
  EXPECT_LT(read, 1800);
}

TEST(Fuzz, LongAndDeepFilesAreRefused) {
  for (const char* piece : {"[", "{", "{a: ", "- ", "? ", "a: [", "'", "\"", "a", "a.", ":", "&", "!", "-\n",
                            "#", "9", "\n", " "}) {
    SCOPED_TRACE(piece);
    std::string text = "system: switch\nseed: ";
    while (text.size() < 100'000) text += piece;
    accepted(text);
    accepted(text.substr(21));
  }
}

}  // namespace
}  // namespace fredsim::tb
