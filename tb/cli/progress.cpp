#include "tb/cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace fredsim::tb {
namespace {

constexpr std::size_t bar_width = 40;

}  // namespace

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1), next_(begin_ + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::show(double share) {
  const Clock::time_point now = Clock::now();
  if (!terminal_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  const double done = std::clamp(share, 0.0, 1.0);
  const double spent = std::chrono::duration<double>(now - begin_).count();
  const std::string bar(static_cast<std::size_t>(done * bar_width), '#');
  fmt::print(stderr, "\r[{:<{}}] {:3.0f} %  {:.0f} s left \033[K", bar, bar_width, 100 * done,
             done > 0 ? spent / done - spent : 0.0);
  std::fflush(stderr);
}

}  // namespace fredsim::tb
