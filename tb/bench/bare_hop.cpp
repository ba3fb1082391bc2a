#include "tb/bench/bare_hop.h"

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "hw/link/fifo.h"
#include "hw/link/protocol.h"
#include "hw/link/sim_time.h"
#include "tb/bench/allocations.h"

namespace fredsim::tb::bench {
namespace {

class Node : public sc_core::sc_module, private hw::PacketSink, private hw::CreditSink {
 public:
  hw::PacketTargetSocket in;
  hw::PacketInitiatorSocket out;

  Node(sc_core::sc_module_name name, Figures& figures, std::uint64_t last)
      : sc_module(name), in("in", *this), out("out", *this), figures_(figures), last_(last) {
    SC_HAS_PROCESS(Node);
    SC_METHOD(pass_on);
    sensitive << event_;
    dont_initialize();
  }

  void take(hw::Payload& payload, hw::Time at) {
    if (waiting_.empty()) event_.notify(hw::to_sc(at - hw::now()));
    waiting_.push({&payload, at});
  }

 private:
  struct Waiting {
    hw::Payload* payload;
    hw::Time at;
  };

  void packet_arrives(hw::PortId, hw::Payload& payload, hw::Time at) override { take(payload, at); }
  hw::PortStatus port_status(hw::PortId) override { return {}; }
  void credit_returns(hw::PortId, hw::Payload&, hw::Time) override {}

  void pass_on() {
    ++figures_.kernel_events;
    const Waiting first = waiting_.pop();
    if (!waiting_.empty()) event_.notify(hw::to_sc(waiting_.front().at - hw::now()));
    if (figures_.packet_hops == last_) return;
    ++figures_.packet_hops;
    out.send(*first.payload, hw::now() + latency_);
  }

  const hw::Time latency_ = hw::Time::fs(3'300'000);
  Figures& figures_;
  std::uint64_t last_;
  hw::Fifo<Waiting> waiting_;
  sc_core::sc_event event_;
};

}  // namespace

Figures run_bare_hops(std::uint64_t links, std::uint64_t hops) {
  Figures figures;
  figures.links = links;
  const double begin = processor_seconds();
  hw::set_time_resolution();
  hw::PacketPool pool(0);
  std::vector<std::unique_ptr<Node>> nodes;
  for (std::size_t n = 0; n < links; ++n) {
    nodes.push_back(std::make_unique<Node>(("node" + std::to_string(n)).c_str(), figures, hops));
  }
  std::vector<hw::PacketRef> packets;
  for (std::size_t n = 0; n < links; ++n) {
    nodes[n]->out.bind(nodes[(n + 1) % links]->in);
    packets.push_back(pool.make({}, 0, nullptr, 0));
    // All at different times, as packets of different senders are.
    nodes[n]->take(*packets.back(), hw::Time::fs(static_cast<std::int64_t>(1 + n * 3'300'000 / links)));
  }
  const double elaborated = processor_seconds();
  const std::uint64_t before = allocations();
  sc_core::sc_start();
  figures.allocations = allocations() - before;
  figures.elaboration_s = elaborated - begin;
  figures.run_s = processor_seconds() - elaborated;
  return figures;
}

}  // namespace fredsim::tb::bench
