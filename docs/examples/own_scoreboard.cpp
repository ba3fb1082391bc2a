// A scoreboard of one's own. It believes nobody: what the NPUs put in it sees at the monitors of their links,
// what comes out at the NPUs' analysis ports, and it adds up the sums itself.
//   own_scoreboard CONFIG TRACE
#include <cstdio>
#include <cstring>
#include <map>

#include "tb/configuration/configuration.h"
#include "tb/systems/simulation.h"
#include "traces/chakra/load.h"
using namespace fredsim;

// Judges all-reduces that sum INT32; anything else it counts as not judged.
class OwnScoreboard : public sc_core::sc_object,
                      public tlm::tlm_analysis_if<hw::PacketRecord>,
                      public tlm::tlm_analysis_if<accel::Delivery> {
 public:
  OwnScoreboard(const char* name, const hw::Workload& workload) : sc_object(name), workload_(workload) {}

  /// A packet on its way from an NPU: its elements are one member's operands.
  void write(const hw::PacketRecord& packet) override {
    if (!judged(workload_.operations[packet.header.operation.value])) return;
    Sums& sums = sums_[packet.header.operation];
    const std::uint64_t first = packet.offset / 4, count = packet.bytes / 4;
    if (sums.values.size() < first + count) {
      sums.values.resize(first + count);
      sums.operands.resize(first + count);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint32_t operand = 0;
      std::memcpy(&operand, packet.data + 4 * i, 4);
      sums.values[first + i] += operand;
      ++sums.operands[first + i];
    }
  }

  /// A packet that has reached an NPU: every element must be the sum of all members' operands.
  void write(const accel::Delivery& delivery) override {
    const hw::Operation& operation = workload_.operations[delivery.operation.value];
    if (!judged(operation)) return void(++not_judged_);
    const Sums& sums = sums_[delivery.operation];
    for (std::uint64_t i = 0; i < delivery.bytes / 4; ++i) {
      const std::uint64_t at = delivery.first_byte / 4 + i;
      std::uint32_t sum = 0;
      std::memcpy(&sum, delivery.data + 4 * i, 4);
      const bool right =
          at < sums.values.size() && sums.operands[at] == operation.npus.size() && sums.values[at] == sum;
      ++(right ? right_ : wrong_);
    }
  }

  /// Whether every member has got every element of every all-reduce, right.
  bool good() const {
    std::uint64_t expected = 0;
    for (const hw::Operation& operation : workload_.operations) {
      if (judged(operation)) expected += (operation.bytes + 3) / 4 * operation.npus.size();
    }
    std::printf("own scoreboard: %llu of %llu elements right, %llu wrong, %llu deliveries not judged\n",
                static_cast<unsigned long long>(right_), static_cast<unsigned long long>(expected),
                static_cast<unsigned long long>(wrong_), static_cast<unsigned long long>(not_judged_));
    return expected > 0 && right_ == expected && wrong_ == 0;
  }

 private:
  struct Sums {
    std::vector<std::uint32_t> values;    // modulo 2^32, as the switches add
    std::vector<std::uint32_t> operands;  // added up in each
  };

  static bool judged(const hw::Operation& operation) {
    return operation.type == hw::OperationType::all_reduce && operation.op == hw::ReduceOp::sum &&
           operation.dtype.value_or(hw::DType::int32) == hw::DType::int32;
  }

  const hw::Workload& workload_;
  std::map<hw::OperationId, Sums> sums_;
  std::uint64_t right_ = 0, wrong_ = 0, not_judged_ = 0;
};

int sc_main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: own_scoreboard CONFIG TRACE\n"), 2;
  const tb::Configuration configuration = tb::load_configuration(argv[1], {"data.dtype=int32"});
  const hw::Workload workload = trace::load(argv[2], configuration.npus());
  tb::SimulationOptions options;
  options.monitors = true;
  tb::Simulation simulation(configuration, workload, options);

  OwnScoreboard scoreboard("own_scoreboard", workload);
  for (const auto& npu : simulation.system().npus()) npu->delivered.bind(scoreboard);
  for (const tb::System::Wire& wire : simulation.system().wires()) {
    if (wire.from_npu) wire.at_sender->passed.bind(scoreboard);
  }
  const tb::Result& result = simulation.run();
  const bool agree = scoreboard.good() == (result.status == tb::Status::ok);
  std::printf("the library's scoreboard: %llu elements right, %llu wrong\n",
              static_cast<unsigned long long>(result.verified_elements),
              static_cast<unsigned long long>(result.wrong_elements));
  return agree && result.status == tb::Status::ok ? 0 : 1;
}
