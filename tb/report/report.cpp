#include "tb/report/report.h"

#include <fmt/format.h>

#include <filesystem>

#include "hw/core/error.h"
#include "tb/report/run_section.h"
#include "tb/report/sweep_section.h"

namespace fredsim::tb::report {

std::string report_page(const Files& files, const std::string& folder) {
  const std::string title = "fredsim report: " + folder;
  std::string links, sections;
  std::size_t number = 0;
  const auto add = [&](const std::string& name, const std::string& section) {
    links += fmt::format("<a href=\"#part{}\">{}</a>", number, escaped(name));
    sections += section;
  };
  for (const std::string& path : files.databases) {
    ++number;
    add(std::filesystem::path(path).filename().string(), sweep_section(path, fmt::format("part{}", number)));
  }
  for (const ResultFile& file : files.results) {
    ++number;
    try {
      add(file.name, run_section(file, fmt::format("part{}", number)));
    } catch (const Json::exception& error) {
      throw hw::InputError(fmt::format("{}: is not as `fredsim run` writes it (docs/05-results.md): {}",
                                       (std::filesystem::path(folder) / file.name).string(), error.what()));
    }
  }
  std::string body = "<h1>" + escaped(title) + "</h1>\n<nav>" + links + "</nav>\n";
  body +=
      "<p class=\"note\">Numbers stand as the files have them; units are in their names, and "
      "docs/05-results.md explains "
      "each.</p>\n";
  if (files.results.size() > 1) body += "<h2>Runs</h2>\n" + runs_table(files.results);
  body += sections;
  if (!files.left_out.empty()) {
    body += "<h2>Left out</h2>\n<ul>";
    for (const std::string& one : files.left_out) body += "<li>" + escaped(one) + "</li>";
    body += "</ul>\n";
  }
  return page(title, body);
}

}  // namespace fredsim::tb::report
