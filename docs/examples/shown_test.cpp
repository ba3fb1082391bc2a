#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(FREDSIM_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void expect_shown(const std::string& page, const std::string& example) {
  const std::string shown = "```cpp\n" + text_of(example) + "```\n";
  EXPECT_NE(text_of(page).find(shown), std::string::npos)
      << page << " must hold " << example << ", letter by letter, in a cpp block";
}

TEST(Docs, ShowTheExamplesThatAreBuilt) {
  expect_shown("README.md", "docs/examples/first_testbench.cpp");
  expect_shown("docs/fred-switch.md", "docs/examples/own_parts.cpp");
}

}  // namespace
