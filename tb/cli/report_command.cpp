#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "tb/cli/command.h"
#include "tb/cli/output_file.h"
#include "tb/cli/shared_files.h"
#include "tb/report/report.h"

namespace fredsim::tb {
namespace {

struct Options {
  std::string folder;
  std::optional<std::string> output;
};

void write_report(const Options& options) {
  namespace fs = std::filesystem;
  const std::string path =
      options.output ? *options.output : (fs::path(options.folder) / "report.html").string();
  const report::Files files = report::read_files(options.folder);
  std::vector<NamedFile> inputs;
  for (const report::ResultFile& file : files.results) {
    inputs.push_back({"a result", (fs::path(options.folder) / file.name).string()});
    if (!file.timeline_name.empty())
      inputs.push_back({"a timeline", (fs::path(options.folder) / file.timeline_name).string()});
  }
  for (const std::string& database : files.databases) inputs.push_back({"a sweep", database});
  refuse_shared_files(inputs, {{"--output", path}});
  OutputFile output("--output", path);
  output.write(report::report_page(files, options.folder));
  std::ostream& people = path == "-" ? std::cerr : std::cout;
  people << fmt::format("report    {}: {} run{}, {} sweep{}\n", path, files.results.size(),
                        files.results.size() == 1 ? "" : "s", files.databases.size(),
                        files.databases.size() == 1 ? "" : "s");
  for (const std::string& left_out : files.left_out) people << "left out  " << left_out << '\n';
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("report", "Make one HTML page, with pictures, of the results in a folder");
  command
      ->add_option(
          "DIR", options->folder,
          "Folder with result files of `fredsim run --json`, their timelines, or the database of a sweep")
      ->required();
  command
      ->add_option("-o,--output", options->output,
                   "Write the page to this file, not to DIR/report.html; - is standard output")
      ->type_name("FILE");
  command->callback([options, &exit_code] {
    write_report(*options);
    exit_code = 0;
  });
}

}  // namespace fredsim::tb
