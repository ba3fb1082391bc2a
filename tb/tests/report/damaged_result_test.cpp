// Results and timelines that are not as runs write them: reported as far as they go, or refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hw/core/error.h"
#include "tb/report/report.h"
#include "tb/tests/cli/program.h"
#include "tb/tests/support/damaged.h"

namespace fredsim::tb::test {
namespace {

using report::Json;

void expect_page_or_refusal(const Folder& folder, const std::string& what) {
  try {
    const std::string page = report::report_page(report::read_files(folder.path()), "d");
    EXPECT_EQ(page.find("<x"), std::string::npos) << what;
  } catch (const hw::InputError&) {
  } catch (const std::exception& error) {
    ADD_FAILURE() << what << ": " << error.what();
  }
}

class Damaged : public testing::Test {
 protected:
  void run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all = {"run",
                                    "--no-data",
                                    "--histograms",
                                    "--json",
                                    folder / "r.json",
                                    "--timeline",
                                    folder / "r.timeline.json"};
    all.insert(all.begin() + 1, arguments.begin(), arguments.end());
    const Outcome outcome = fredsim(all);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  }
  void expect_no_harm(const std::string& name) const {
    const std::string path = folder / name;
    for_each_damage(Json::parse(read_file(path)), [&](const Json& damaged, const std::string& what) {
      write_file(path, damaged.dump());
      expect_page_or_refusal(folder, what);
    });
  }

  Folder folder;
};

TEST_F(Damaged, ResultOfASwitch) {
  run({single_switch(), "--trace", source_path("docs/examples-data/two_flows.jsonl")});
  expect_no_harm("r.json");
}

TEST_F(Damaged, TimelineOfASwitch) {
  run({single_switch(), "--trace", source_path("docs/examples-data/two_flows.jsonl")});
  expect_no_harm("r.timeline.json");
}

TEST_F(Damaged, ResultOfAWan) {
  const std::string schedule = folder.path() + "/s";
  ASSERT_EQ(
      fredsim({"schedule", source_path("tb/configs/nine_city.yaml"), "--size", "1MB", "--json", schedule})
          .exit_code,
      0);
  run({configuration("wan9"), "--schedule", schedule, "--set", "wan.update=1 MB"});
  expect_no_harm("r.json");
}

}  // namespace
}  // namespace fredsim::tb::test
