#include "switch/fabric/stalls.h"

#include <utility>

#include "hw/link/sim_time.h"
#include "hw/observe/timeline.h"

namespace fredsim::sw {
namespace {

/// As in the results; a turn counts as a partner that is missing.
const char* name_of(StallCause cause) {
  if (cause == StallCause::staging) return "no_staging";
  return cause == StallCause::route_set ? "other_route_set" : "partner_missing";
}

}  // namespace

Stalls::Stalls(hw::Context& context, const std::string& path, SwitchStatistics& statistics)
    : context_(context),
      path_(path),
      statistics_(statistics),
      probes_{hw::Probe(context.recorder, hw::waveform_only(path + ".stalled.partner_missing", "flows",
                                                            "flows that lack operands of their next packet",
                                                            hw::ProbeKind::level)),
              hw::Probe(context.recorder,
                        hw::waveform_only(path + ".stalled.other_route_set", "flows",
                                          "flows that are ready while another route set is served",
                                          hw::ProbeKind::level)),
              hw::Probe(context.recorder, hw::waveform_only(path + ".stalled.no_staging", "flows",
                                                            "flows that are ready and lack room at an output",
                                                            hw::ProbeKind::level))} {}

hw::Probe& Stalls::probe(StallCause cause) {
  if (cause == StallCause::staging) return probes_[2];
  return probes_[cause == StallCause::route_set ? 1 : 0];
}

void Stalls::begin(std::size_t flow, StallCause cause, hw::Time since) {
  Stall& stall = flows_[flow];
  if (stall.cause == cause) return;
  settle(flow, hw::now());
  stall.cause = cause;
  stall.since = since;
  if (context_.stalls) stall.ticket = context_.stalls->begins(since);
  if (probe(cause).recorded()) probe(cause).add(since, 1);
}

void Stalls::book(const Stall& stall, hw::Time waited, SwitchStatistics& statistics) {
  switch (stall.cause) {
    case StallCause::turn:
      statistics.partner_missing += waited;
      break;
    case StallCause::route_set:
      statistics.other_route_set += waited;
      statistics.other_route_set_of[hw::index(stall.vc)] += waited;
      break;
    case StallCause::staging:
      statistics.no_staging += waited;
      break;
    case StallCause::none:
    case StallCause::partner:  // booked when the packet fires, since partners may be announced ahead
      break;
  }
}

void Stalls::add_unsettled(hw::Time end, SwitchStatistics& statistics) const {
  for (const Stall& stall : flows_) {
    if (stall.since < end) book(stall, end - stall.since, statistics);
  }
}

hw::TimeSum Stalls::other_route_set(std::size_t flow, hw::Time end) const {
  const Stall& stall = flows_[flow];
  hw::TimeSum sum = stall.other_route_set;
  if (stall.cause == StallCause::route_set && stall.since < end) sum += end - stall.since;
  return sum;
}

void Stalls::partners_came(std::size_t flow, hw::Time first, hw::Time last) {
  statistics_.partner_missing += last - first;
  if (context_.timeline)
    context_.timeline->stall(path_, to_string(flows_[flow].vc), "partner_missing", first, last);
}

void Stalls::settle(std::size_t flow, hw::Time at) {
  Stall& stall = flows_[flow];
  if (stall.cause == StallCause::none) return;
  book(stall, at - stall.since, statistics_);
  if (stall.cause == StallCause::route_set) stall.other_route_set += at - stall.since;
  if (context_.timeline && stall.cause != StallCause::partner)
    context_.timeline->stall(path_, to_string(stall.vc), name_of(stall.cause), stall.since, at);
  if (stall.ticket != 0) context_.stalls->ends(std::exchange(stall.ticket, 0), at);
  if (probe(stall.cause).recorded()) probe(stall.cause).add(at, -1);
  stall.cause = StallCause::none;
}

}  // namespace fredsim::sw
