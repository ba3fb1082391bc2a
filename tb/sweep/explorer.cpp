#include "tb/sweep/explorer.h"

namespace fredsim::tb {

std::vector<Explored> Explorer::explore(const std::vector<const Point*>& points, const char* origin) {
  const std::vector<std::int64_t> ids = database_.add(points, origin);
  std::vector<Explored> explored;
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < points.size(); ++i) {
    explored.push_back({points[i], ids[i]});
    if (tried_.insert(ids[i]).second && !database_.is_done(ids[i])) tasks.push_back({ids[i], points[i]});
  }
  if (stopped_ || tasks.empty()) return explored;
  stopped_ = !engine_.run(tasks, [&](std::int64_t id, const RunOutcome& outcome) {
    database_.store(id, outcome);
    ++runs_;
  });
  return explored;
}

}  // namespace fredsim::tb
