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

TEST(Readme, ShowsTheTestbenchThatIsBuilt) {
  const std::string shown = "```cpp\n" + text_of("docs/examples/first_testbench.cpp") + "```\n";
  EXPECT_NE(text_of("README.md").find(shown), std::string::npos)
      << "README.md must hold docs/examples/first_testbench.cpp, letter by letter, in a cpp block";
}

}  // namespace
