#include "tb/sweep/local_engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "tb/cli/progress.h"
#include "tb/sweep/process_pool.h"

namespace fredsim::tb {
namespace {

namespace fs = std::filesystem;

/// A folder for what runs write, gone with what is in it.
class WorkFolder {
 public:
  explicit WorkFolder(const std::string& parent)
      : path_((fs::path(parent) / fmt::format("running.{}", getpid())).string()) {
    // What an earlier sweep left behind when it was killed; the folder is ours alone.
    for (const auto& entry : fs::directory_iterator(parent)) {
      if (entry.path().filename().string().rfind("running.", 0) == 0) fs::remove_all(entry.path());
    }
    fs::create_directories(path_);
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  std::string file(std::int64_t id, const char* what) const {
    return fmt::format("{}/{}.{}", path_, id, what);
  }

 private:
  std::string path_;
};

RunOutcome outcome_of(const Ended& ended, const WorkFolder& folder, std::int64_t id) {
  RunOutcome outcome;
  outcome.exit_code = ended.exit_code;
  outcome.result = file_text(folder.file(id, "json"), most_result_bytes);
  outcome.error = file_text(folder.file(id, "err"), most_message_bytes);
  if (!ended.exit_code)
    outcome.error += fmt::format("ended by signal {} ({})", ended.signal, strsignal(ended.signal));
  outcome.wall_s = ended.wall_s;
  outcome.cpu_s = ended.cpu_s;
  outcome.peak_rss_bytes = ended.peak_rss_bytes;
  std::error_code ignored;
  for (const char* what : {"json", "err"}) fs::remove(folder.file(id, what), ignored);
  return outcome;
}

}  // namespace

std::string file_text(const std::string& path, std::size_t most) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return "";
  const std::size_t size =
      std::min(most, static_cast<std::size_t>(std::max<std::streamoff>(file.tellg(), 0)));
  std::string text(size, '\0');
  file.seekg(0);
  file.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

LocalEngine::LocalEngine(std::string program, std::string folder, std::size_t jobs)
    : program_(std::move(program)), folder_(std::move(folder)), jobs_(jobs) {}

bool LocalEngine::run(const std::vector<Task>& tasks,
                      const std::function<void(std::int64_t id, const RunOutcome&)>& ended) {
  const WorkFolder folder(folder_);
  ProcessPool pool;
  Progress progress;
  std::size_t next = 0, done = 0;
  const auto fill = [&] {
    for (; next < tasks.size() && pool.running() < jobs_; ++next) {
      std::vector<std::string> arguments = tasks[next].point->arguments;
      arguments.emplace_back("--json");
      arguments.push_back(folder.file(tasks[next].id, "json"));
      pool.start(next, program_, arguments, "/dev/null", folder.file(tasks[next].id, "err"));
    }
  };
  fill();
  while (pool.running() > 0) {
    const auto one = pool.wait(std::chrono::milliseconds(200));
    if (pool.stopped() != 0) return false;
    if (one) {
      const std::int64_t id = tasks[one->id].id;
      const RunOutcome outcome = outcome_of(*one, folder, id);
      fill();  // the next one runs while this one is stored
      ended(id, outcome);
      ++done;
    }
    progress.show(static_cast<double>(done) / static_cast<double>(tasks.size()));
  }
  return true;
}

}  // namespace fredsim::tb
