#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Lines = std::vector<std::string>;
const std::filesystem::path root = FREDSIM_SOURCE_DIR;

/// The lines of a file without what they begin with in blanks, so that a page may show the inside of a class.
Lines lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  Lines lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  }
  return lines;
}

struct Block {
  std::size_t line = 0;       ///< of its first line
  std::vector<Lines> pieces;  ///< as parted by lines that say "// ..."
};

std::vector<Block> cpp_blocks(const std::filesystem::path& page) {
  std::vector<Block> blocks;
  bool inside = false;
  std::size_t number = 0;
  for (const std::string& line : lines_of(page)) {
    ++number;
    if (!inside && line == "```cpp") {
      inside = true;
      blocks.push_back({number + 1, {{}}});
    } else if (inside && line == "```") {
      inside = false;
    } else if (inside && line == "// ...") {
      blocks.back().pieces.emplace_back();
    } else if (inside) {
      blocks.back().pieces.back().push_back(line);
    }
  }
  return blocks;
}

/// Whether the pieces of a block are in a file, in this order.
bool shows(const Block& block, const Lines& file) {
  auto at = file.begin();
  for (const Lines& piece : block.pieces) {
    at = std::search(at, file.end(), piece.begin(), piece.end());
    if (at == file.end()) return false;
    at += static_cast<std::ptrdiff_t>(piece.size());
  }
  return true;
}

// Pages show code of the examples only, and those are built and run with the installed package.
TEST(Docs, ShowCodeOfTheExamples) {
  std::vector<Lines> examples;
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs/examples")) {
    if (entry.path().extension() == ".cpp") examples.push_back(lines_of(entry.path()));
  }
  ASSERT_GE(examples.size(), 4u);
  std::vector<std::filesystem::path> pages = {root / "README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  std::size_t blocks = 0;
  for (const auto& page : pages) {
    for (const Block& block : cpp_blocks(page)) {
      ++blocks;
      EXPECT_TRUE(
          std::any_of(examples.begin(), examples.end(), [&](const Lines& e) { return shows(block, e); }))
          << page.string() << ":" << block.line << ": this code is in none of docs/examples/*.cpp";
    }
  }
  EXPECT_GE(blocks, 8u);
}

}  // namespace
