#include "tb/systems/simulation.h"

#include <fmt/format.h>

#include <chrono>

#include "accel/npu/operation_board.h"
#include "hw/core/error.h"
#include "hw/core/pattern.h"
#include "hw/link/context.h"
#include "hw/link/sim_time.h"
#include "hw/link/stall_watch.h"
#include "hw/observe/recorder.h"
#include "tb/configuration/effective.h"
#include "tb/plan/endpoint.h"
#include "tb/plan/plan.h"
#include "tb/systems/collect.h"
#include "tb/systems/delivery_check.h"
#include "tb/systems/faults.h"
#include "tb/systems/intervals.h"
#include "tb/systems/mesh_system.h"
#include "tb/systems/plan_options.h"
#include "tb/systems/planned_order.h"
#include "tb/systems/pressure.h"
#include "tb/systems/starvation.h"
#include "tb/systems/stops.h"
#include "tb/systems/trains.h"
#include "tb/systems/tree_system.h"
#include "tb/systems/waiting.h"
#include "tb/verify/golden.h"
#include "tb/verify/scoreboard.h"

namespace fredsim::tb {
namespace {

/// Of every operation: the NPUs' and the controllers' parts.
std::vector<std::uint32_t> members_of(const hw::Workload& workload, const Plan& plan) {
  std::vector<std::uint32_t> members(workload.operations.size());
  for (const accel::Program& program : plan.programs) {
    for (const accel::Part& part : program.parts) ++members[part.operation.value];
  }
  return members;
}

std::vector<std::string> names_of(const hw::Workload& workload) {
  std::vector<std::string> names;
  for (const hw::Operation& operation : workload.operations) names.push_back(operation.id);
  return names;
}

/// What adds up in the network; routers of a mesh do not.
std::unique_ptr<ReductionOrder> network_order_of(const Configuration& configuration) {
  if (configuration.system == SystemKind::mesh) return std::make_unique<RankOrder>();
  return std::make_unique<TreeOrder>(configuration.tree_shape());
}

ResultLayout::Controllers controllers_of(const Configuration& configuration) {
  if (configuration.system == SystemKind::mesh) {
    const sw::Mesh mesh(configuration.mesh.columns, configuration.mesh.rows);
    return {mesh.nodes(), mesh.io_controllers()};
  }
  const sw::TreeShape shape = configuration.tree_shape();
  return {static_cast<std::uint32_t>(shape.npus()), shape.io_controllers};
}

std::uint64_t delivered_bytes(const Plan& plan) {
  std::uint64_t bytes = 0;
  for (const hw::Flow& flow : plan.flows) {
    // Of messages among NPUs only those count that are results.
    if (!plan.operations[flow.operation.value].endpoint) bytes += flow.bytes * flow.destinations.size();
  }
  for (const PlannedOperation& planned : plan.operations) {
    if (!planned.endpoint) continue;
    for (const accel::RankSteps& rank : planned.endpoint->ranks) {
      for (const accel::ReceiveStep& receive : rank.receives)
        bytes += receive.result ? receive.elements.size() * planned.element_bytes : 0;
    }
  }
  return bytes;
}

/// One that nothing would use is a mistake.
void check_parts(const Configuration& configuration, const Factories& factories) {
  if (!factories.switch_parts.micro_switch || configuration.sw.abstraction == Abstraction::microswitch)
    return;
  const auto given = configuration.given.find("switch.abstraction");
  throw hw::InputError(fmt::format(
      "{}: switch.abstraction: a micro-switch of the testbench's own needs a place to go to; only "
      "switch.abstraction: microswitch makes every micro-switch a module",
      given == configuration.given.end() ? configuration.source : given->second.place));
}

}  // namespace

/// In the order in which they are made; modules go before what they refer to.
struct Simulation::Parts {
  Parts(const Configuration& c, hw::Workload w, const SimulationOptions& o)
      : configuration(c),
        coefficients(cost_coefficients(c)),
        model(with_trains(c)),
        workload(std::move(w)),
        options(o),
        plan(plan_for(configuration, workload, options.keep_order)),
        recorder([] { return hw::now(); }),
        packets(configuration.transaction),
        flows(plan.flows.size()),
        context{recorder, packets, flows, plan_options(configuration).packet},
        board(members_of(workload, plan)),
        operation_names(names_of(workload)),
        layout(workload, configuration.data.dtype, controllers_of(configuration)),
        network_order(network_order_of(configuration)),
        order(*network_order, plan.operations),
        starvation(plan, flows, board) {
    if (configuration.system != SystemKind::mesh) tree.emplace(configuration.tree_shape());
    if (configuration.pressure.seed != 0) delay_starts(plan.programs, configuration.pressure);
    if (!options.data) {
      scoreboard.emplace(layout, nullptr);
      return;
    }
    pattern.emplace(configuration.data.pattern, configuration.seed, configuration.transaction);
    golden.emplace(layout, configuration.data.pattern, configuration.seed, order);
    scoreboard.emplace(layout, &*golden);
  }

  Configuration configuration;
  CostCoefficients coefficients;
  Configuration model;  ///< what its parts are told
  hw::Workload workload;
  SimulationOptions options;
  Plan plan;
  hw::Recorder recorder;
  hw::PacketPool packets;
  hw::FlowTable flows;
  hw::Context context;
  accel::OperationBoard board;
  std::vector<std::string> operation_names;
  ResultLayout layout;
  std::optional<sw::Tree> tree;  ///< of switches, if there are any
  std::unique_ptr<ReductionOrder> network_order;
  PlannedOrder order;
  StarvationWatch starvation;
  std::optional<hw::DataPattern> pattern;
  std::optional<Golden> golden;
  std::optional<Scoreboard> scoreboard;
  std::optional<DeliveryCheck> check;
  std::optional<hw::StallWatch> stalls;
  std::optional<hw::FlowReliability> reliable;
  std::unique_ptr<System> system;
  std::optional<Intervals> intervals;
  Result result;
};

Simulation::Simulation(const Configuration& configuration, hw::Workload workload,
                       const SimulationOptions& options, const Factories& factories)
    : parts_(std::make_unique<Parts>(configuration, std::move(workload), options)) {
  Parts& p = *parts_;
  check_parts(p.configuration, factories);
  hw::set_time_resolution();
  if (p.options.histograms) p.recorder.keep_histograms();
  if (p.options.timeline) {
    std::vector<std::string> names;
    for (std::uint32_t f = 0; f < p.plan.flows.size(); ++f)
      names.push_back(flow_name(p.workload, p.plan, hw::FlowId{f}));
    p.options.timeline->set_flows(names);
    p.context.timeline = p.options.timeline;
  }
  if (p.options.waveform) p.recorder.record(*p.options.waveform);
  if (p.options.stall_limit) {
    p.stalls.emplace("stall_watch", p.recorder, *p.options.stall_limit);
    p.context.stalls = &*p.stalls;
  }
  if (p.configuration.reliability() == Reliability::flow) {
    p.reliable = make_reliability(p.configuration, p.plan);
    p.context.reliable = &*p.reliable;
  }
  const accel::NpuServices services{p.context, p.board, p.pattern ? &*p.pattern : nullptr, p.operation_names};
  const Faults faults = make_faults(p.configuration, p.workload, p.plan);
  if (p.tree) {
    p.system = std::make_unique<TreeSystem>("system", p.model, *p.tree, p.plan, services, p.options.monitors,
                                            factories, faults);
  } else {
    p.system = std::make_unique<MeshSystem>("system", p.model, p.plan, services, p.options.monitors,
                                            factories, faults);
  }

  const std::uint64_t total = delivered_bytes(p.plan);
  std::function<void(std::uint64_t)> on_progress;
  if (p.options.progress) {
    on_progress = [&p, total](std::uint64_t bytes) {
      p.options.progress(static_cast<double>(bytes) / static_cast<double>(total));
    };
  }
  p.check.emplace(
      "delivery_check", *p.scoreboard, [&p](hw::Time at) { p.recorder.event("wrong-data", at); },
      on_progress);
  for (const auto& npu : p.system->npus()) npu->delivered.bind(*p.check);
  for (const auto& io : p.system->io_controllers()) io->deliver_to(*p.check);
  p.board.on_start([&p](hw::OperationId operation, hw::Time at) {
    if (p.recorder.awaits_event()) p.recorder.event("op:" + p.operation_names[operation.value], at);
  });
  if (p.options.intervals) p.intervals.emplace(*p.system, p.options.interval, *p.options.intervals);
  if (p.options.waveform) p.recorder.start();
}

Simulation::~Simulation() = default;

const System& Simulation::system() const {
  return *parts_->system;
}

const Result& Simulation::run() {
  Parts& p = *parts_;
  Result& result = p.result;
  const auto begin = std::chrono::steady_clock::now();
  Stops stops;
  stops.every(p.configuration.watchdog.starvation, [&p](hw::Time, hw::Time) { return !p.starvation.look(); });
  if (p.intervals) {
    stops.every(p.options.interval, [&p](hw::Time at, hw::Time upcoming) {
      p.intervals->look(at, upcoming);
      return true;
    });
  }
  std::optional<hw::Time> starved;  // when the watchdog saw it
  try {
    starved = stops.run(p.options.until);
  } catch (const sc_core::sc_report& report) {
    // The kernel wraps what a process throws.
    const std::string message = report.get_msg();
    result.out_of_time = message.find(hw::time_out_of_range) != std::string::npos;
    if (!result.out_of_time) {
      if (p.options.waveform) p.recorder.finish(hw::now());
      throw hw::InternalError(message);
    }
  }
  const bool pending = sc_core::sc_pending_activity();
  // The kernel's clock stays at its last event, but what it did may take effect later: up to the limit, or to
  // the last such effect, since packets whose arrival was announced do arrive.
  const bool at_now = p.board.all_ended() || result.out_of_time;
  const bool cut_off = pending && p.options.until && !result.out_of_time;
  const hw::Time end = starved   ? *starved
                       : cut_off ? *p.options.until
                       : at_now  ? hw::now()
                                 : p.recorder.last_change();

  result.seed = p.configuration.seed;
  result.configuration = effective_json(p.configuration);
  result.data = p.options.data;
  if (p.board.all_ended()) {
    p.scoreboard->finish();
    for (const auto& monitor : p.system->monitors()) monitor->finish();
  }
  result.verified_elements = p.scoreboard->verified_elements();
  result.wrong_elements = p.scoreboard->wrong_elements() + p.scoreboard->missing_elements();
  result.faults = p.scoreboard->faults();
  collect(*p.system, p.workload, p.plan, p.board, p.context, end, result);
  for (std::size_t s = 0; p.tree && s < result.switches.size(); ++s) {
    result.switches[s].route_memory_bits = p.configuration.sw.route_memory * 8;
    result.switches[s].packed = p.plan.packed[s];
  }
  for (const Turns& turns : p.plan.turns) {
    TurnsResult r{turns.reason, turns.place, {}, {}};
    for (const hw::OperationId operation : turns.operations) {
      r.operations.push_back(p.operation_names[operation.value]);
    }
    r.waited = waited_for_turns(turns, *p.system, p.plan, end);
    result.turns.push_back(std::move(r));
  }
  for (const hw::OperationId operation : p.plan.decomposed)
    result.decomposed.push_back(p.operation_names[operation.value]);
  result.planes = p.tree && p.tree->levels() > 1 ? p.tree->planes(2) : 0;
  result.planes_needed = p.plan.planes_needed;
  if (result.wrong_elements > 0) {
    result.status = Status::wrong_data;
  } else if (p.board.all_ended()) {
    result.status = Status::ok;
  } else {
    result.status = pending && !result.out_of_time && !starved ? Status::stopped : Status::unfinished;
  }
  result.starved = starved.has_value();
  if (result.status == Status::unfinished) {
    const bool deadlock = !starved && !result.out_of_time;
    result.waiting = find_waiting(*p.system, p.tree ? &*p.tree : nullptr, p.workload, p.plan,
                                  deadlock ? Waiting::State::deadlock : Waiting::State::unfinished);
    if (starved) mark_starved(p.starvation.starved(), p.operation_names, result.waiting);
  }
  result.cost = run_cost(p.configuration, p.coefficients, work_of(*p.system, end));
  if (p.intervals) p.intervals->finish(end);
  if (p.options.waveform) result.waveform = p.recorder.finish(end);
  result.performance.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace fredsim::tb
