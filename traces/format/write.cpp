#include "traces/format/write.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "hw/core/error.h"
#include "traces/format/keys.h"

namespace fredsim::trace {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Whole nanoseconds and, if need be, a fraction down to the femtosecond: exact, which a double is not.
std::string nanoseconds(hw::Time time) {
  constexpr std::int64_t fs_per_ns = 1'000'000;
  std::string text = fmt::format("{}.{:06}", time.fs() / fs_per_ns, time.fs() % fs_per_ns);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string references(const hw::Workload& workload, const std::vector<hw::OperationId>& ids) {
  std::string text = "[";
  for (const hw::OperationId id : ids) {
    if (id.value >= workload.operations.size()) {
      throw hw::InternalError("a workload to be written refers to an operation that it does not have");
    }
    text += (text.size() > 1 ? "," : "") + quoted(workload.operations[id.value].id);
  }
  return text + "]";
}

std::string line_of(const hw::Workload& workload, const hw::Operation& operation) {
  const auto takes = [&](const char* key) { return need(operation.type, key) != Need::not_taken; };
  std::string npus;
  for (const hw::NpuId npu : operation.npus) npus += fmt::format("{}{}", npus.empty() ? "" : ",", npu.value);
  std::string line = fmt::format("{{\"id\":{},\"type\":\"{}\",\"npus\":[{}]", quoted(operation.id),
                                 hw::to_string(operation.type), npus);
  if (takes("bytes")) line += fmt::format(",\"bytes\":{}", operation.bytes);
  if (takes("ns")) {
    line += operation.flops > 0 ? fmt::format(",\"flops\":{}", nlohmann::json(operation.flops).dump())
                                : fmt::format(",\"ns\":{}", nanoseconds(operation.duration));
  }
  if (operation.root) line += fmt::format(",\"root\":{}", operation.root->value);
  if (operation.peer) line += fmt::format(",\"{}\":{}", takes("to") ? "to" : "from", operation.peer->value);
  if (operation.tag != 0) line += fmt::format(",\"tag\":{}", operation.tag);
  if (takes("mode")) line += fmt::format(",\"mode\":{}", quoted(operation.mode));
  if (takes("class") && operation.traffic_class != hw::TrafficClass::dp) {
    line += fmt::format(",\"class\":\"{}\"", hw::to_string(operation.traffic_class));
  }
  if (takes("op") && operation.op != hw::ReduceOp::sum)
    line += fmt::format(",\"op\":\"{}\"", hw::to_string(operation.op));
  if (operation.dtype) line += fmt::format(",\"dtype\":\"{}\"", hw::to_string(*operation.dtype));
  if (!operation.algorithm.empty()) line += fmt::format(",\"algorithm\":{}", quoted(operation.algorithm));
  if (!operation.after.empty()) line += ",\"after\":" + references(workload, operation.after);
  if (!operation.after_all.empty()) line += ",\"after_all\":" + references(workload, operation.after_all);
  return line + "}\n";
}

}  // namespace

void write(const hw::Workload& workload, std::ostream& out) {
  std::string memory;
  if (const std::optional<hw::MemoryNeed>& need = workload.memory) {
    memory = fmt::format(",\"weights\":{},\"gradients\":{},\"optimizer\":{},\"activations\":{}",
                         need->weights, need->gradients, need->optimizer, need->activations);
  }
  out << fmt::format(
      "{{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":{},\"name\":{},\"operations\":{}{}}}\n",
      workload.npus, quoted(workload.name), workload.operations.size(), memory);
  for (const hw::Operation& operation : workload.operations) out << line_of(workload, operation);
}

void write(const hw::Workload& workload, const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  if (!out) throw hw::InputError(fmt::format("{}: cannot be opened for writing", path));
  write(workload, out);
  out.close();
  if (!out) throw hw::InputError(fmt::format("{}: could not be written whole", path));
}

}  // namespace fredsim::trace
