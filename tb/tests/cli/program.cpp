#include "tb/tests/cli/program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>

extern char** environ;  // NOLINT: POSIX names it

namespace fredsim::tb::test {
namespace {

void check(int error, const std::string& what) {
  if (error != 0) throw std::runtime_error(what + ": " + std::strerror(error));
}

class FileActions {
 public:
  FileActions() { check(posix_spawn_file_actions_init(&actions_), "file actions"); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void open(int descriptor, const std::string& path, int flags) {
    check(posix_spawn_file_actions_addopen(&actions_, descriptor, path.c_str(), flags, 0600), path);
  }
  void change_directory(const std::string& path) {
    check(posix_spawn_file_actions_addchdir_np(&actions_, path.c_str()), path);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

}  // namespace

Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                    const std::string& directory) {
  // Files instead of pipes: a program that writes much to both cannot block.
  const Folder folder;
  FileActions actions;
  actions.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  actions.open(STDOUT_FILENO, folder / "out", O_WRONLY | O_CREAT);
  actions.open(STDERR_FILENO, folder / "error", O_WRONLY | O_CREAT);
  if (!directory.empty()) actions.change_directory(directory);

  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  check(posix_spawn(&pid, program.c_str(), actions.get(), nullptr, argv.data(), environ), program);

  int status = 0;
  rusage usage{};
  while (wait4(pid, &status, 0, &usage) < 0) {
    if (errno != EINTR) check(errno, "wait4");
  }
  Outcome outcome;
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.out = read_file(folder / "out");
  outcome.error = read_file(folder / "error");
  outcome.user_seconds =
      static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) / 1e6;
  return outcome;
}

std::string program_path() {
  return FREDSIM_PROGRAM;
}

Outcome fredsim(const std::vector<std::string>& arguments, const std::string& directory) {
  return run_program(program_path(), arguments, directory);
}

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = folder + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

std::string source_path(const std::string& path) {
  return std::string(FREDSIM_SOURCE_DIR "/") + path;
}

std::string configuration(const std::string& name) {
  return source_path("tb/configs/" + name + ".yaml");
}

std::string single_switch() {
  return configuration("single_switch");
}

std::string sample(const std::string& name) {
  return source_path("traces/samples/" + name + ".jsonl");
}

}  // namespace fredsim::tb::test
