#include "tb/bench/apart.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace fredsim::tb::bench {
namespace {

static_assert(std::is_trivially_copyable_v<Figures>);

[[noreturn]] void work_in_child(const std::function<Figures()>& work, int descriptor) {
  std::string answer;
  int exit_code = 0;
  try {
    Figures figures = work();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    figures.peak_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    answer.assign(reinterpret_cast<const char*>(&figures), sizeof figures);
  } catch (const std::exception& error) {
    answer = error.what();
    exit_code = 1;
  }
  const ssize_t written = write(descriptor, answer.data(), answer.size());
  _exit(written == static_cast<ssize_t>(answer.size()) ? exit_code : 2);
}

std::string read_all(int descriptor) {
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(descriptor, buffer, sizeof buffer)) != 0;) {
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) break;
  }
  return text;
}

}  // namespace

Figures apart(const std::function<Figures()>& work) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe to a process of its own");
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("no process of its own");
  if (pid == 0) {
    close(ends[0]);
    work_in_child(work, ends[1]);
  }
  close(ends[1]);
  const std::string answer = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    throw std::runtime_error("the simulation was ended by signal " + std::to_string(WTERMSIG(status)));
  }
  if (WEXITSTATUS(status) != 0) throw std::runtime_error(answer);
  Figures figures;
  if (answer.size() != sizeof figures) throw std::runtime_error("the simulation ended without figures");
  std::memcpy(&figures, answer.data(), sizeof figures);
  return figures;
}

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

}  // namespace fredsim::tb::bench
