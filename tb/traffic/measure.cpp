#include "tb/traffic/measure.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <memory>

#include "hw/core/error.h"
#include "tb/systems/simulation.h"
#include "tb/traffic/source.h"

namespace fredsim::tb {
namespace {

/// A send, and its receive, for every pair that exchanges packets: the plan gives each its flow.
hw::Workload pairs_of(const TrafficShape& shape, hw::TrafficClass c, std::uint64_t bytes,
                      std::vector<double>& share_of_send) {
  hw::Workload workload;
  workload.name = workload.source = "synthetic traffic";
  workload.npus = shape.npus;
  for (std::uint32_t from = 0; from < shape.npus; ++from) {
    for (const Destination& to : destinations(shape, from)) {
      const auto id = static_cast<std::uint32_t>(workload.operations.size());
      hw::Operation send;
      send.id = std::to_string(from) + "_" + std::to_string(to.npu);
      send.type = hw::OperationType::send;
      send.npus = {hw::NpuId(from)};
      send.peer = hw::NpuId(to.npu);
      send.partner = hw::OperationId(id + 1);
      send.bytes = bytes;
      send.traffic_class = c;
      hw::Operation receive = send;
      receive.id += "r";
      receive.type = hw::OperationType::recv;
      receive.npus = {hw::NpuId(to.npu)};
      receive.peer = hw::NpuId(from);
      receive.partner = hw::OperationId(id);
      workload.operations.push_back(std::move(send));
      workload.operations.push_back(std::move(receive));
      share_of_send.insert(share_of_send.end(), {to.share, 0.0});
    }
  }
  return workload;
}

}  // namespace

hw::Bandwidth traffic_link(const Configuration& configuration) {
  return configuration.system == SystemKind::mesh ? configuration.mesh_link().bandwidth
                                                  : configuration.npu_link().bandwidth;
}

TrafficResult measure_traffic(const Configuration& configuration, const TrafficOptions& options) {
  TrafficShape shape;
  shape.pattern = options.pattern;
  shape.npus = configuration.npus();
  shape.columns = configuration.system == SystemKind::mesh ? configuration.mesh.columns : 0;
  shape.hot = options.hot;
  shape.hot_share = options.hot_share;

  TrafficRun run;
  run.warm_up = options.warm_up;
  run.window = options.window;
  run.seed = configuration.seed;
  const hw::Time packet = traffic_link(configuration).time_for(configuration.packet.bytes);
  run.mean_gap = hw::Time::fs(static_cast<std::int64_t>(static_cast<double>(packet.fs()) / options.rate));
  hw::Workload workload =
      pairs_of(shape, options.traffic_class, configuration.packet.payload(), run.share_of_send);
  std::vector<bool> sends(shape.npus);
  for (const hw::Operation& operation : workload.operations) {
    if (operation.type == hw::OperationType::send) sends[operation.npus.front().value] = true;
  }

  SimulationOptions simulation_options;
  simulation_options.data = false;
  simulation_options.monitors = options.monitors;
  simulation_options.keep_order = false;
  // What arose in the window has as long again to arrive.
  simulation_options.until = run.window_end() + run.window;
  Factories factories;
  factories.npu = [&run](sc_core::sc_module_name name, const accel::NpuConfig& config,
                         const accel::Program& program, const accel::NpuServices& services) {
    return std::make_unique<TrafficSource>(name, config, program, services, run);
  };
  Simulation simulation(configuration, std::move(workload), simulation_options, factories);
  const std::clock_t begin = std::clock();
  const Result& simulated = simulation.run();
  const std::clock_t end = std::clock();

  TrafficResult result;
  result.rate = options.rate;
  const auto senders = static_cast<double>(std::count(sends.begin(), sends.end(), true));
  const double packets_of_link = senders * run.window.seconds() / packet.seconds();
  if (senders > 0) {
    result.offered = static_cast<double>(run.offered) / packets_of_link;
    result.accepted = static_cast<double>(run.accepted) / packets_of_link;
  }
  result.packets = run.arrived;
  result.missing = run.offered - run.arrived;
  result.saturated = result.missing > 0 || result.accepted < 0.95 * result.offered;
  result.mean_ns = run.latency.mean().ns();
  result.median_ns = run.latency.percentile(50).ns();
  result.p95_ns = run.latency.percentile(95).ns();
  result.p99_ns = run.latency.percentile(99).ns();
  result.max_ns = run.latency.max().ns();
  for (const LinkResult& link : simulated.links)
    result.links.push_back({link.name, link.traffic.packets, simulated.utilization(link)});
  result.packet_hops = simulated.performance.packet_hops;
  result.kernel_events = simulated.performance.kernel_events;
  result.wall_s = simulated.performance.wall_s;
  result.processor_s = static_cast<double>(end - begin) / CLOCKS_PER_SEC;
  return result;
}

TrafficResult measure_apart(const Configuration& configuration, const TrafficOptions& options) {
  int ends[2];
  if (pipe(ends) != 0) throw hw::InternalError("no pipe to a process of its own");
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) throw hw::InternalError("no process of its own for a measurement");
  if (pid == 0) {
    close(ends[0]);
    std::string text;
    int code = 0;
    try {
      text = to_json(measure_traffic(configuration, options)).dump();
    } catch (const hw::InputError& error) {
      text = error.what();
      code = 2;
    } catch (const std::exception& error) {
      text = error.what();
      code = 4;
    }
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t written = write(ends[1], text.data() + done, text.size() - done);
      if (written <= 0) _exit(4);
      done += static_cast<std::size_t>(written);
    }
    _exit(code);
  }
  close(ends[1]);
  std::string text;
  char buffer[65536];
  for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) break;
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return traffic_result_from(nlohmann::ordered_json::parse(text));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) throw hw::InputError(text);
  throw hw::InternalError(text.empty() ? "a measurement ended by a signal" : text);
}

Saturation find_saturation(const Configuration& configuration, const TrafficOptions& options) {
  constexpr double precision = 0.01;
  Saturation found;
  const auto measure = [&](double rate) {
    TrafficOptions at = options;
    at.rate = rate;
    found.measured.push_back(measure_apart(configuration, at));
    return !found.measured.back().saturated;
  };
  const double most =
      configuration.npu_link().bandwidth.bytes_per_second() / traffic_link(configuration).bytes_per_second();
  double low = 0, high = std::max(1.0, most);
  while (high - low > precision) {
    const double middle = (low + high) / 2;
    (measure(middle) ? low : high) = middle;
  }
  found.rate = low;
  std::sort(found.measured.begin(), found.measured.end(),
            [](const TrafficResult& a, const TrafficResult& b) { return a.rate < b.rate; });
  return found;
}

nlohmann::ordered_json to_json(const TrafficResult& result) {
  nlohmann::ordered_json json{{"rate", result.rate},
                              {"offered", result.offered},
                              {"accepted", result.accepted},
                              {"saturated", result.saturated},
                              {"packets", result.packets},
                              {"missing", result.missing},
                              {"latency_ns",
                               {{"mean", result.mean_ns},
                                {"p50", result.median_ns},
                                {"p95", result.p95_ns},
                                {"p99", result.p99_ns},
                                {"max", result.max_ns}}}};
  json["links"] = nlohmann::ordered_json::array();
  for (const TrafficResult::Link& link : result.links)
    json["links"].push_back(
        {{"name", link.name}, {"packets", link.packets}, {"utilization", link.utilization}});
  json["performance"] = {
      {"wall_s", result.wall_s},
      {"packet_hops", result.packet_hops},
      {"packet_hops_per_s", result.wall_s > 0 ? double(result.packet_hops) / result.wall_s : 0},
      {"kernel_events", result.kernel_events}};
  return json;
}

TrafficResult traffic_result_from(const nlohmann::ordered_json& json) {
  TrafficResult result;
  result.rate = json["rate"];
  result.offered = json["offered"];
  result.accepted = json["accepted"];
  result.saturated = json["saturated"];
  result.packets = json["packets"];
  result.missing = json["missing"];
  const auto& latency = json["latency_ns"];
  result.mean_ns = latency["mean"];
  result.median_ns = latency["p50"];
  result.p95_ns = latency["p95"];
  result.p99_ns = latency["p99"];
  result.max_ns = latency["max"];
  for (const auto& link : json["links"])
    result.links.push_back({link["name"], link["packets"], link["utilization"]});
  result.wall_s = json["performance"]["wall_s"];
  result.packet_hops = json["performance"]["packet_hops"];
  result.kernel_events = json["performance"]["kernel_events"];
  return result;
}

}  // namespace fredsim::tb
