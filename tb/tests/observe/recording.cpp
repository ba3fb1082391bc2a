#include "tb/tests/observe/recording.h"

#include <algorithm>

namespace fredsim::hw::test {

std::vector<std::int64_t> evaluate(std::int64_t initial, const std::vector<Announced>& calls,
                                   std::int64_t end_fs) {
  std::vector<std::int64_t> values;
  std::int64_t value = initial;
  for (std::int64_t t = 0; t <= end_fs; ++t) {
    for (const Announced& call : calls) {
      if (call.at_fs == t) value = call.relative ? value + call.amount : call.amount;
    }
    values.push_back(value);
  }
  return values;
}

std::size_t Simulation::add(ProbeInfo info) {
  const bool is_state = info.kind == ProbeKind::state;
  const std::string initial_state = info.initial_state;
  probes.emplace_back(recorder, std::move(info));
  calls.emplace_back();
  if (is_state) {
    for (const std::string& name : {initial_state, std::string("dp 0/%"), std::string("back\\slash \"q\" ?"),
                                    std::string("$end"), std::string("S\xc3\xa3o"), std::string("#12")}) {
      const auto number = static_cast<std::size_t>(probes.back().state(name));
      if (state_names.size() <= number) state_names.resize(number + 1);
      state_names[number] = name;
    }
  }
  return probes.size() - 1;
}

void Simulation::set(std::size_t probe, std::int64_t at_fs, std::int64_t value) {
  probes[probe].set(Time::fs(at_fs), value);
  calls[probe].push_back({at_fs, value, false});
}

void Simulation::change(std::size_t probe, std::int64_t at_fs, std::int64_t delta) {
  probes[probe].add(Time::fs(at_fs), delta);
  calls[probe].push_back({at_fs, delta, true});
}

void Simulation::play(std::mt19937_64& random, int steps, std::int64_t end_fs) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  for (int step = 0; step < steps; ++step) {
    now = Time::fs(std::max(now.fs(), end_fs * step / steps - below(3)));
    const std::int64_t ahead = below(4) == 0 ? below(end_fs) : below(8);
    const std::int64_t at = now.fs() + ahead;
    const auto probe = static_cast<std::size_t>(below(static_cast<std::int64_t>(probes.size())));
    switch (probes[probe].info().kind) {
      case ProbeKind::level:
        set(probe, at, below(3) == 0 ? below(1'000'000'000'000) : below(30));
        break;
      case ProbeKind::flag:
        set(probe, at, below(2));
        break;
      case ProbeKind::state:
        set(probe, at, below(static_cast<std::int64_t>(state_names.size())));
        break;
      case ProbeKind::number:
        if (below(2) == 0) {
          change(probe, at, below(9) - 4);
        } else {
          set(probe, at, below(20) - 10);
        }
    }
  }
  now = Time::fs(end_fs);
}

std::vector<std::string> Simulation::expected(std::size_t probe, std::int64_t end_fs) const {
  const ProbeInfo& info = probes[probe].info();
  std::int64_t initial = info.initial;
  if (info.kind == ProbeKind::state) {
    initial = std::find(state_names.begin(), state_names.end(), info.initial_state) - state_names.begin();
  }
  std::vector<std::string> texts;
  for (const std::int64_t value : evaluate(initial, calls[probe], end_fs)) {
    texts.push_back(info.kind == ProbeKind::state ? state_names[static_cast<std::size_t>(value)]
                                                  : std::to_string(value));
  }
  return texts;
}

void add_one_of_each(Simulation& simulation) {
  simulation.add({"switch.in3.vc_dp.packet", "", "packet at the head", ProbeKind::number, std::nullopt, -1});
  simulation.add({"switch.in3.vc_dp.occupancy", "B", "bytes held", ProbeKind::level, 20, 3});
  simulation.add({"switch.stalled", "", "waits for a credit", ProbeKind::flag});
  simulation.add({"npu0.operation", "", "what it works at", ProbeKind::state});
}

}  // namespace fredsim::hw::test
