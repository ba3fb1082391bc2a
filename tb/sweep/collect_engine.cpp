#include "tb/sweep/collect_engine.h"

namespace fredsim::tb {

bool CollectEngine::run(const std::vector<Task>& tasks,
                        const std::function<void(std::int64_t id, const RunOutcome&)>& ended) {
  for (const Task& task : tasks) {
    if (const auto outcome = files_.outcome(*task.point)) ended(task.id, *outcome);
  }
  return true;
}

}  // namespace fredsim::tb
