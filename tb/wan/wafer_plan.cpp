#include "tb/wan/wafer_plan.h"

#include <fmt/format.h>

#include <numeric>

#include "hw/core/error.h"
#include "tb/configuration/parameter.h"
#include "tb/systems/plan_options.h"

namespace fredsim::tb {
namespace {

void refuse_what_has_no_part(const Configuration& wafer) {
  if (wafer.system != SystemKind::tree && wafer.system != SystemKind::single_switch) {
    throw hw::InputError(wafer.source + ": a wafer of a WAN is a tree of switches or a single switch");
  }
  for (const auto& [key, given] : wafer.given) {
    if (given.origin != Origin::file) continue;
    const auto topic = topic_of(*find_parameter(key));
    if (topic == "data" || topic == "watchdog" || topic == "pressure" || key == "seed") {
      throw hw::InputError(fmt::format(
          "{}: {}: has no effect in a wafer of a WAN; data and seed are those of the WAN", given.place, key));
    }
  }
}

hw::Workload workload_of(const WaferPlan& wafer) {
  hw::Group all(wafer.configuration.npus());
  for (std::uint32_t n = 0; n < all.size(); ++n) all[n] = hw::NpuId(n);
  hw::Workload workload;
  workload.name = workload.source = "global all-reduce";
  workload.npus = wafer.configuration.npus();
  const auto add = [&](const char* id, hw::OperationType type, std::uint64_t bytes) -> hw::Operation& {
    hw::Operation operation;
    operation.id = id;
    operation.type = type;
    operation.bytes = bytes;
    operation.npus = type == hw::OperationType::compute ? hw::Group{hw::NpuId(0)} : all;
    workload.operations.push_back(std::move(operation));
    return workload.operations.back();
  };
  add("begin", hw::OperationType::compute, 0);
  add("reduce", hw::OperationType::reduce_scatter, wafer.elements * wafer.element_bytes).after_all = {
      WaferPlan::begin};
  hw::Operation& collect = add("collect", hw::OperationType::gather, wafer.shard_bytes);
  collect.root = hw::NpuId(0);
  collect.after = {WaferPlan::reduce};
  add("exchange", hw::OperationType::compute, 0).after = {WaferPlan::collect};
  hw::Operation& spread = add("spread", hw::OperationType::scatter, wafer.shard_bytes);
  spread.root = hw::NpuId(0);
  spread.after_all = {WaferPlan::exchange};
  add("publish", hw::OperationType::all_gather, wafer.shard_bytes).after = {WaferPlan::spread};
  return workload;
}

}  // namespace

std::shared_ptr<const WaferPlan> plan_wafer(const std::string& path, const Configuration& wan,
                                            std::uint64_t elements) {
  auto wafer = std::make_shared<WaferPlan>();
  wafer->configuration = load_configuration(path);
  refuse_what_has_no_part(wafer->configuration);
  wafer->configuration.data = wan.data;
  wafer->configuration.seed = wan.seed;
  wafer->elements = elements;
  wafer->element_bytes = hw::size_of(wan.data.dtype);
  const std::uint64_t npus = wafer->configuration.npus();
  wafer->shard_bytes = (elements + npus - 1) / npus * wafer->element_bytes;
  wafer->workload = workload_of(*wafer);
  wafer->plan = plan_for(wafer->configuration, wafer->workload);
  return wafer;
}

}  // namespace fredsim::tb
