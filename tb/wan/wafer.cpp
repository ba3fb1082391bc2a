#include "tb/wan/wafer.h"

#include <algorithm>
#include <cstring>

#include "hw/core/error.h"
#include "tb/systems/faults.h"
#include "tb/systems/plan_options.h"
#include "tb/systems/tree_system.h"

namespace fredsim::tb {
namespace {

/// The gates have one more: what holds them shut.
std::vector<std::uint32_t> members_of(const WaferPlan& wafer) {
  std::vector<std::uint32_t> members(WaferPlan::operations);
  for (const accel::Program& program : wafer.plan.programs) {
    for (const accel::Part& part : program.parts) ++members[part.operation.value];
  }
  ++members[WaferPlan::begin.value];
  ++members[WaferPlan::exchange.value];
  return members;
}

std::vector<std::string> names_of(const hw::Workload& workload) {
  std::vector<std::string> names;
  for (const hw::Operation& operation : workload.operations) names.push_back(operation.id);
  return names;
}

}  // namespace

Wafer::Wafer(sc_core::sc_module_name name, const WaferPlan& plan, std::uint64_t seed, std::uint32_t shares,
             bool data)
    : sc_module(name),
      plan_(plan),
      environment_(plan.plan.flows.size(), plan_options(plan.configuration).packet),
      board_(members_of(plan)),
      operation_names_(names_of(plan.workload)),
      layout_(plan.workload, plan.configuration.data.dtype),
      tree_(plan.configuration.tree_shape()) {
  if (data) {
    const hw::PatternKind kind = plan.configuration.data.pattern;
    pattern_.emplace(kind, seed, plan.configuration.packet.bytes, shares);
    golden_.emplace(layout_, kind, seed, order_, shares);
  }
  scoreboard_.emplace(layout_, golden_ ? &*golden_ : nullptr);
  check_.emplace("delivery_check", *scoreboard_, nullptr, nullptr);
  const accel::NpuServices services{environment_.context, board_, pattern_ ? &*pattern_ : nullptr,
                                    operation_names_};
  system_ =
      std::make_unique<TreeSystem>("system", plan.configuration, tree_, plan.plan, services, false,
                                   Factories(), make_faults(plan.configuration, plan.workload, plan.plan));
  for (const auto& npu : system_->npus()) npu->delivered.bind(*check_);
  board_.subscribe(WaferPlan::collect, *this);
  board_.subscribe(WaferPlan::publish, *this);
  SC_HAS_PROCESS(Wafer);
  SC_METHOD(open_gate);
  sensitive << gate_event_;
  dont_initialize();
  if (!data) return;

  for (std::uint32_t rank = 0; rank < plan.workload.npus; ++rank) {
    const hw::Range shard = hw::shard(plan.elements, plan.workload.npus, rank);
    ResultLayout::Piece piece;
    piece.end = shard.size() * plan.element_bytes;
    piece.source_operation = WaferPlan::reduce;
    piece.source_begin = shard.begin * plan.element_bytes;
    for (std::uint64_t at = 0; at < piece.end;) {
      const Golden::View view = golden_->view(WaferPlan::reduce, piece, at, UINT32_MAX);
      update_.insert(update_.end(), view.data, view.data + view.bytes);
      at += view.bytes;
    }
  }
  shards_ = padded(update_);
  for (std::uint32_t npu = 0; npu < plan.workload.npus; ++npu) {
    place(WaferPlan::collect, npu, shards_, shards_, npu);
  }
}

Wafer::~Wafer() = default;

std::vector<std::byte> Wafer::padded(const std::vector<std::byte>& update) const {
  const std::uint32_t npus = plan_.workload.npus;
  std::vector<std::byte> result(npus * plan_.shard_bytes);
  for (std::uint32_t rank = 0; rank < npus; ++rank) {
    const hw::Range shard = hw::shard(plan_.elements, npus, rank);
    std::copy_n(update.data() + shard.begin * plan_.element_bytes, shard.size() * plan_.element_bytes,
                result.data() + rank * plan_.shard_bytes);
  }
  return result;
}

void Wafer::place(hw::OperationId operation, std::uint32_t npu, const std::vector<std::byte>& is,
                  const std::vector<std::byte>& must, std::uint64_t shard) {
  pattern_->place(operation, hw::NpuId(npu), is.data() + shard * plan_.shard_bytes);
  golden_->place(operation, hw::NpuId(npu), must.data() + shard * plan_.shard_bytes);
}

void Wafer::set_sum(const std::vector<std::byte>& is, const std::vector<std::byte>& must) {
  sum_is_ = padded(is);
  sum_must_ = padded(must);
  place(WaferPlan::spread, 0, sum_is_, sum_must_, 0);
  for (std::uint32_t npu = 0; npu < plan_.workload.npus; ++npu) {
    place(WaferPlan::publish, npu, sum_is_, sum_must_, npu);
  }
}

void Wafer::begin(hw::Time at) {
  begun_at_ = reduced_at_ = at;
  open_at(WaferPlan::begin, at);
}

void Wafer::spread(hw::Time at) {
  spread_at_ = published_at_ = at;
  open_at(WaferPlan::exchange, at);
}

void Wafer::open_at(hw::OperationId gate, hw::Time at) {
  gate_ = gate;
  gate_event_.notify(hw::to_sc(std::max(at - hw::now(), hw::Time())));
}

void Wafer::open_gate() {
  board_.ended(gate_, hw::now());
}

void Wafer::operation_ended(hw::OperationId operation) {
  const hw::Time at = board_[operation].end;
  if (operation == WaferPlan::collect) {
    reduced_at_ = at;
    reduced(at);
  } else {
    published_at_ = at;
    published(at);
  }
}

std::string Wafer::under_way() const {
  for (const hw::OperationId operation :
       {WaferPlan::reduce, WaferPlan::collect, WaferPlan::spread, WaferPlan::publish}) {
    const accel::OperationBoard::Times& times = board_[operation];
    if (times.started > 0 && !times.has_ended()) return operation_names_[operation.value];
  }
  return "";
}

}  // namespace fredsim::tb
