#include "tb/sweep/process_pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "hw/core/error.h"

namespace fredsim::tb {
namespace {

/// In the new process: only what is safe between fork and exec. Answers an errno if it fails.
int become(const char* program, char* const* argv, const char* output, const char* error, pid_t parent,
           const sigset_t& signals) {
  // The kernel ends it with its parent; a parent that has ended already is no longer its parent.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
  if (getppid() != parent) return ESRCH;
  // A group of its own: what a terminal sends, the pool passes on.
  if (setpgid(0, 0) != 0) return errno;
  const int files[] = {open("/dev/null", O_RDONLY), open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666),
                       open(error, O_WRONLY | O_CREAT | O_TRUNC, 0666)};
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    if (files[descriptor] < 0 || dup2(files[descriptor], descriptor) < 0) return errno;
    if (files[descriptor] > 2) close(files[descriptor]);
  }
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  execv(program, argv);
  return errno;
}

[[noreturn]] void cannot(const std::string& program, int error) {
  throw hw::InternalError(fmt::format("{} cannot be started: {}", program, std::strerror(error)));
}

}  // namespace

ProcessPool::ProcessPool() {
  sigemptyset(&watched_);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM}) sigaddset(&watched_, signal);
  sigprocmask(SIG_BLOCK, &watched_, &before_);
}

ProcessPool::~ProcessPool() {
  for (const auto& [pid, running] : running_) kill(pid, SIGKILL);
  for (const auto& [pid, running] : running_) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void ProcessPool::start(std::size_t id, const std::string& program, const std::vector<std::string>& arguments,
                        const std::string& output, const std::string& error) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  int told[2];
  if (pipe2(told, O_CLOEXEC) != 0) cannot(program, errno);
  const auto begin = std::chrono::steady_clock::now();
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    const int failure = become(program.c_str(), argv.data(), output.c_str(), error.c_str(), parent, before_);
    if (write(told[1], &failure, sizeof failure) < 0) _exit(126);
    _exit(127);
  }
  const int fork_error = errno;
  close(told[1]);
  int failure = 0;
  // Ends when exec has closed the other side.
  const ssize_t read_bytes = pid < 0 ? 0 : read(told[0], &failure, sizeof failure);
  close(told[0]);
  if (pid < 0) cannot(program, fork_error);
  if (read_bytes > 0) {
    waitpid(pid, nullptr, 0);
    cannot(program, failure);
  }
  running_[pid] = {id, begin};
}

std::optional<Ended> ProcessPool::ended() {
  for (const auto& [pid, running] : running_) {
    int status = 0;
    rusage usage{};
    if (wait4(pid, &status, WNOHANG, &usage) != pid) continue;
    Ended ended;
    ended.id = running.id;
    if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    ended.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    ended.peak_rss_bytes = usage.ru_maxrss * std::int64_t{1024};
    ended.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - running.begin).count();
    running_.erase(pid);
    return ended;
  }
  return std::nullopt;
}

bool ProcessPool::wait_signal(std::chrono::steady_clock::time_point end) {
  const auto left =
      std::chrono::duration_cast<std::chrono::nanoseconds>(end - std::chrono::steady_clock::now()).count();
  if (left <= 0) return false;
  const timespec time{left / 1'000'000'000, left % 1'000'000'000};
  const int signal = sigtimedwait(&watched_, nullptr, &time);
  if (signal != SIGINT && signal != SIGTERM) return true;
  stopped_ = signal;
  return false;
}

std::optional<Ended> ProcessPool::wait(std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    if (auto one = ended()) return one;
    if (running_.empty() || !wait_signal(end)) return std::nullopt;
  }
}

void ProcessPool::pause(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (wait_signal(end)) {
  }
}

}  // namespace fredsim::tb
