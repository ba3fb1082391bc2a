#include "tb/report/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "hw/core/error.h"

namespace fredsim::tb::report {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

const std::string timeline_ending = ".timeline.json";

Json parse(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw hw::InputError(fmt::format("{}: cannot be opened", path.string()));
  try {
    return Json::parse(file);
  } catch (const Json::exception& error) {
    throw hw::InputError(fmt::format("{}: is no JSON: {}", path.string(), error.what()));
  }
}

std::string text_at(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_string()
             ? object[key].get<std::string>()
             : "";
}

/// What a report reads without asking.
void check_result(const Json& result, const std::string& path) {
  const auto need = [&](const char* key, bool right) {
    if (!right)
      throw hw::InputError(
          fmt::format("{}: {} is missing or of the wrong kind; was fredsim run of this version "
                      "what wrote it?",
                      path, key));
  };
  need("version 1", result.contains("version") && result["version"] == 1);
  const bool wan = result.contains("sites");
  need("config", result.contains("config") && result["config"].is_object());
  need("simulated_ns", result.contains("simulated_ns") && result["simulated_ns"].is_number());
  need("status", result.contains("status") && result["status"].is_string());
  for (const char* list : {"operations", "links"})
    need(list, result.contains(list) && result[list].is_array());
  for (const char* list : {"npus", "buffers", "switches", "flows"})
    need(list, wan || (result.contains(list) && result[list].is_array()));
  need("aggregators", !wan || (result.contains("aggregators") && result["aggregators"].is_array()));
}

}  // namespace

Files read_files(const std::string& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  if (error) throw hw::InputError(fmt::format("{}: cannot be read as a folder: {}", folder, error.message()));
  std::sort(paths.begin(), paths.end());
  Files files;
  std::vector<std::pair<std::string, Json>> timelines;
  for (const std::filesystem::path& path : paths) {
    const std::string name = path.filename().string();
    if (ends_with(name, ".sqlite")) files.databases.push_back(path.string());
    if (!ends_with(name, ".json")) continue;
    Json json = parse(path);
    const std::string format = text_at(json, "format");
    if (format == "fredsim-result") {
      check_result(json, path.string());
      files.results.push_back({name, std::move(json), "", Json()});
    } else if (ends_with(name, timeline_ending) && json.is_object() && json.contains("otherData") &&
               text_at(json["otherData"], "format") == "fredsim-timeline") {
      timelines.emplace_back(name, std::move(json));
    } else {
      files.left_out.push_back(
          fmt::format("{} ({})", name, format.empty() ? "not written by fredsim run" : format));
    }
  }
  for (auto& [name, timeline] : timelines) {
    const std::string of = name.substr(0, name.size() - timeline_ending.size()) + ".json";
    const auto found = std::find_if(files.results.begin(), files.results.end(),
                                    [&](const ResultFile& file) { return file.name == of; });
    if (found == files.results.end()) {
      files.left_out.push_back(fmt::format("{} (a timeline without its result, {})", name, of));
      continue;
    }
    found->timeline_name = name;
    found->timeline = std::move(timeline);
  }
  if (files.results.empty() && files.databases.empty()) {
    throw hw::InputError(
        fmt::format("{}: holds nothing to report: neither a result file of `fredsim run --json` (*.json) nor "
                    "a database of "
                    "`fredsim sweep` (*.sqlite)",
                    folder));
  }
  return files;
}

}  // namespace fredsim::tb::report
