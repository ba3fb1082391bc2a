#include "tb/sweep/slurm_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hw/core/error.h"
#include "tb/cli/progress.h"

namespace fredsim::tb {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// The program of this name that the shell would find.
std::string found_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored)) return candidate.string();
  }
  throw hw::InputError("--engine slurm: " + name + " is not installed (Debian: slurm-client)");
}

/// Each task of the array runs its own line of the list.
const char* const script =
    "#!/bin/sh\n"
    "line=$(sed -n \"${{SLURM_ARRAY_TASK_ID}}p\" {0})\n"
    "eval \"$line\"\n";

constexpr milliseconds between_looks(500);
/// How long files may take to be seen after their job has gone: those of a network file system.
constexpr std::chrono::seconds patience(10);

}  // namespace

SlurmEngine::SlurmEngine(std::string program, JobFiles files, std::size_t jobs,
                         std::vector<std::string> options)
    : program_(std::move(program)), files_(std::move(files)), jobs_(jobs), options_(std::move(options)) {
  for (const char* name : {"sbatch", "squeue", "scancel", "scontrol"}) found_program(name);
}

std::string SlurmEngine::ask(const std::vector<std::string>& words, bool may_fail) {
  const std::string out = files_.folder() + "/asked.out", err = files_.folder() + "/asked.err";
  pool_->start(0, found_program(words.front()), {words.begin() + 1, words.end()}, out, err);
  std::optional<Ended> ended;
  while (!ended) ended = pool_->wait(milliseconds(1000));
  const std::string said = file_text(out, most_result_bytes), complaint = file_text(err, most_message_bytes);
  std::error_code ignored;
  for (const std::string& file : {out, err}) fs::remove(file, ignored);
  if (!may_fail && ended->exit_code != 0)
    throw hw::InputError(fmt::format("--engine slurm: {} failed: {}", words.front(), complaint));
  return said;
}

/// One more than the largest index that an array can have.
std::size_t SlurmEngine::largest_array() {
  std::istringstream lines(ask({"scontrol", "show", "config"}));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("MaxArraySize", 0) != 0) continue;
    const std::size_t digits = line.find_first_of("0123456789");
    if (digits != std::string::npos)
      return std::max<std::size_t>(2, std::strtoull(line.c_str() + digits, nullptr, 10));
  }
  return 1001;  // Slurm's default
}

std::string SlurmEngine::submit(const std::vector<Task>& tasks, std::size_t from, std::size_t to) {
  const std::string list = fmt::format("{}/array.{}", files_.folder(), tasks[from].point->key);
  std::ofstream lines(list + ".list", std::ios::trunc), batch(list + ".sh", std::ios::trunc);
  for (std::size_t i = from; i < to; ++i) lines << files_.command(program_, *tasks[i].point) << '\n';
  batch << fmt::format(script, shell_word(list + ".list"));
  lines.flush();
  batch.flush();
  if (!lines || !batch) throw hw::InputError(list + ": cannot be written");
  std::vector<std::string> words = {"sbatch", "--parsable", "--job-name=fredsim-sweep", "--output=/dev/null",
                                    "--error=/dev/null"};
  words.push_back(fmt::format("--array=1-{}{}", to - from, jobs_ > 0 ? fmt::format("%{}", jobs_) : ""));
  for (const std::string& option : options_) words.push_back("--" + option);
  words.push_back(list + ".sh");
  std::string job = ask(words);
  return job.substr(0, job.find_first_of(";\n"));
}

bool SlurmEngine::under_way(const std::string& job) {
  // squeue fails for a job that it no longer knows.
  return !ask({"squeue", "--noheader", "--jobs=" + job, "--format=%i"}, true).empty();
}

std::vector<Task> SlurmEngine::collect(const std::vector<Task>& tasks,
                                       const std::function<void(std::int64_t id, const RunOutcome&)>& ended) {
  std::vector<Task> still;
  for (const Task& task : tasks) {
    const auto outcome = files_.outcome(*task.point);
    if (!outcome) {
      still.push_back(task);
      continue;
    }
    ended(task.id, *outcome);
    files_.remove(*task.point);
    ++done_;
  }
  return still;
}

bool SlurmEngine::wait_for(const std::string& job, std::vector<Task> waiting,
                           const std::function<void(std::int64_t id, const RunOutcome&)>& ended) {
  Progress progress;
  std::optional<std::chrono::steady_clock::time_point> gone;
  while (true) {
    waiting = collect(waiting, ended);
    progress.show(static_cast<double>(done_) / static_cast<double>(all_));
    if (waiting.empty()) return true;
    const auto now = std::chrono::steady_clock::now();
    if (!gone && !under_way(job)) gone = now;
    if (gone && now - *gone > patience) {
      RunOutcome lost;
      lost.error = fmt::format("Slurm has ended job {} and this run has left no exit code", job);
      for (const Task& task : waiting) ended(task.id, lost);
      return true;
    }
    pool_->pause(between_looks);
    if (pool_->stopped() != 0) {
      ask({"scancel", job}, true);
      return false;
    }
  }
}

void SlurmEngine::cancel_earlier() {
  const std::string job = file_text(job_file(), 100);
  if (job.empty()) return;
  ask({"scancel", job}, true);
  while (under_way(job) && pool_->stopped() == 0) pool_->pause(between_looks);
}

bool SlurmEngine::run(const std::vector<Task>& tasks,
                      const std::function<void(std::int64_t id, const RunOutcome&)>& ended) {
  files_.make();
  pool_ = std::make_unique<ProcessPool>();
  all_ = tasks.size();
  done_ = 0;
  cancel_earlier();
  const std::vector<Task> left = collect(tasks, ended);
  const std::size_t most = largest_array() - 1;
  for (std::size_t from = 0; from < left.size() && pool_->stopped() == 0; from += most) {
    const std::size_t to = std::min(from + most, left.size());
    const std::string job = submit(left, from, to);
    std::ofstream(job_file(), std::ios::trunc) << job << std::flush;
    const auto begin = left.begin();
    wait_for(job, {begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to)},
             ended);
  }
  const bool whole = pool_->stopped() == 0;
  pool_.reset();
  if (whole) {
    std::error_code ignored;
    fs::remove_all(files_.folder(), ignored);
  }
  return whole;
}

}  // namespace fredsim::tb
