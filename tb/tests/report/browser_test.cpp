// The page in a browser: it loads without a word on the console, and a click sorts.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

/// The document after its scripts have run; what the browser says goes to standard error.
Outcome load(const std::string& browser, const Folder& folder, const std::string& file) {
  return run_program(browser, {"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                               "--user-data-dir=" + folder / "profile", "--enable-logging=stderr",
                               "--virtual-time-budget=5000", "--dump-dom", "file://" + folder / file});
}

TEST(ReportInABrowser, LoadsAndSorts) {
  const std::string browser = find_program("chromium");
  if (browser.empty()) GTEST_SKIP() << "no chromium: install the Debian package chromium";
  const Folder folder;
  ASSERT_EQ(fredsim({"run", configuration("fred_d"), "--trace",
                     source_path("docs/examples-data/overlap_20npus.jsonl"), "--no-data", "--histograms",
                     "--json", folder / "r.json", "--timeline", folder / "r.timeline.json"})
                .exit_code,
            0);
  ASSERT_EQ(fredsim({"report", folder.path()}).exit_code, 0);
  // Sorting by links[].utilization, falling, is two clicks on the heading.
  std::string page = read_file(folder / "report.html");
  page.replace(page.find("</body>"), 7,
               "<script>Array.from(document.querySelectorAll('th button')).filter(b => b.textContent === "
               "'utilization')"
               ".forEach(b => { b.click(); b.click(); });</script></body>");
  write_file(folder / "clicked.html", page);
  const Outcome outcome = load(browser, folder, "clicked.html");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(outcome.error.find("CONSOLE"), std::string::npos) << outcome.error;

  const std::string& dom = outcome.out;
  const std::regex picture("<svg[^>]*aria-label=\"([^\"]*)\"");
  std::vector<std::string> pictures;
  for (std::sregex_iterator at(dom.begin(), dom.end(), picture), end; at != end; ++at)
    pictures.push_back(at->str(1));
  EXPECT_EQ(pictures,
            (std::vector<std::string>{"Topology, links coloured by their utilization", "Operations over time",
                                      "How the time is spent", "Histograms of occupancy"}));
  const std::size_t begin = dom.find("<tbody>", dom.find("<summary>links"));
  const std::string body = dom.substr(begin, dom.find("</tbody>", begin) - begin);
  std::vector<double> column;
  const std::regex row("<tr>(?:<td[^>]*>[^<]*</td>){5}<td[^>]*>([^<]*)</td>");
  for (std::sregex_iterator at(body.begin(), body.end(), row), end; at != end; ++at)
    column.push_back(std::stod(at->str(1)));
  std::vector<double> expected;
  const nlohmann::json result = nlohmann::json::parse(read_file(folder / "r.json"));
  for (const auto& link : result["links"]) expected.push_back(link["utilization"]);
  std::sort(expected.rbegin(), expected.rend());
  EXPECT_EQ(column, expected);
}

}  // namespace
}  // namespace fredsim::tb::test
