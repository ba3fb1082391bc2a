#include "tb/verify/scoreboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "hw/core/error.h"
#include "hw/core/reduce.h"

namespace fredsim::tb {
namespace {

/// An element as a person and as a waveform show it: "2.5 (0x4100)".
std::string print_element(const std::byte* data, std::optional<hw::DType> dtype) {
  if (!dtype) return fmt::format("{:#04x}", std::to_integer<unsigned>(*data));
  if (*dtype == hw::DType::int32) {
    std::int32_t value;
    std::memcpy(&value, data, sizeof value);
    return fmt::format("{} ({:#010x})", value, static_cast<std::uint32_t>(value));
  }
  float value;
  hw::widen_to_fp32(*dtype, data, &value, 1);
  if (*dtype == hw::DType::fp32) {
    std::uint32_t bits;
    std::memcpy(&bits, data, sizeof bits);
    return fmt::format("{} ({:#010x})", value, bits);
  }
  std::uint16_t bits;
  std::memcpy(&bits, data, sizeof bits);
  return fmt::format("{} ({:#06x})", value, bits);
}

}  // namespace

std::string to_string(const Fault& fault) {
  const std::string who = fmt::format("npu {}, operation \"{}\": ", fault.npu.value, fault.operation);
  const std::uint64_t last = fault.element + fault.elements - 1;
  const std::string which = fault.elements == 1 ? fmt::format("element {}", fault.element)
                                                : fmt::format("elements {} to {}", fault.element, last);
  switch (fault.kind) {
    case Fault::Kind::value:
      return fmt::format("{}element {} is {} instead of {}, {} wrong of the packet at {}", who, fault.element,
                         fault.got, fault.expected, fault.elements, hw::to_string(fault.at));
    case Fault::Kind::unexpected:
      return fmt::format("{}{} came at {} and not expected there", who, which, hw::to_string(fault.at));
    case Fault::Kind::doubled:
      return fmt::format("{}{} came a second time at {}", who, which, hw::to_string(fault.at));
    case Fault::Kind::out_of_order:
      return fmt::format("{}{} came at {}, behind later ones of the same flow", who, which,
                         hw::to_string(fault.at));
    case Fault::Kind::missing:
      return fmt::format("{}{} never came", who, which);
  }
  throw hw::InternalError("a fault of no kind");
}

Scoreboard::Scoreboard(const ResultLayout& layout, Golden* golden, std::size_t keep_faults)
    : layout_(layout),
      golden_(golden),
      keep_faults_(keep_faults),
      progress_(layout.workload().operations.size()) {}

Scoreboard::Progress& Scoreboard::progress_of(hw::OperationId id) {
  Progress& progress = progress_[id.value];
  if (!progress.of_rank.empty() || progress.over) return progress;
  for (std::size_t rank = 0; rank < layout_.operation(id).npus.size(); ++rank) {
    Result result;
    for (const ResultLayout::Piece& piece : layout_.pieces(id, rank))
      result.expected += piece.end - piece.begin;
    if (result.expected != 0) ++progress.incomplete;
    progress.of_rank.push_back(std::move(result));
  }
  return progress;
}

bool Scoreboard::add(std::vector<Stretch>& came, Stretch stretch) {
  auto next = std::upper_bound(came.begin(), came.end(), stretch.begin,
                               [](std::uint64_t at, const Stretch& s) { return at < s.begin; });
  const bool follows = next != came.begin() && std::prev(next)->end >= stretch.begin;
  if (follows && std::prev(next)->end > stretch.begin) return false;
  const bool leads = next != came.end() && next->begin <= stretch.end;
  if (leads && next->begin < stretch.end) return false;
  if (follows && leads) {
    std::prev(next)->end = next->end;
    came.erase(next);
  } else if (follows) {
    std::prev(next)->end = stretch.end;
  } else if (leads) {
    next->begin = stretch.begin;
  } else {
    came.insert(next, stretch);
  }
  return true;
}

bool Scoreboard::advance(std::vector<FlowEnd>& ends, hw::FlowId flow, Stretch stretch) {
  auto own = std::lower_bound(ends.begin(), ends.end(), flow,
                              [](const FlowEnd& e, hw::FlowId f) { return e.flow < f; });
  if (own == ends.end() || own->flow != flow) own = ends.insert(own, {flow, 0});
  if (own->end > stretch.begin) return false;
  own->end = stretch.end;
  return true;
}

std::optional<std::size_t> Scoreboard::rank_of(hw::OperationId id, hw::NpuId npu) {
  if (npu.value >= last_rank_.size()) last_rank_.resize(npu.value + 1);
  LastRank& last = last_rank_[npu.value];
  if (last.operation != id) last = {id, layout_.rank_of(id, npu)};
  return last.rank;
}

void Scoreboard::write(const accel::Delivery& d) {
  hw::OperationId id = d.operation;
  if (id.value >= progress_.size())
    throw hw::InternalError("a delivery of an operation that is not in the workload");
  if (layout_.operation(id).type == hw::OperationType::send) id = *layout_.operation(id).partner;

  const std::uint64_t element = layout_.element_bytes(id);
  const std::uint64_t end = d.first_byte + d.bytes;
  if (d.bytes == 0 || d.first_byte % element != 0 || d.bytes % element != 0) {
    return report(Fault::Kind::unexpected, d, id);
  }
  const std::optional<std::size_t> rank = rank_of(id, d.npu);
  if (!rank) return report(Fault::Kind::unexpected, d, id);
  for (std::uint64_t at = d.first_byte; at < end;) {
    const std::optional<ResultLayout::Piece> piece = layout_.piece_at(id, *rank, at);
    if (!piece) return report(Fault::Kind::unexpected, d, id);
    at = piece->end;
  }

  Progress& progress = progress_of(id);
  if (progress.over) return report(Fault::Kind::doubled, d, id);
  Result& result = progress.of_rank[*rank];
  if (result.received == result.expected) return report(Fault::Kind::doubled, d, id);
  if (!add(result.came, {d.first_byte, end})) return report(Fault::Kind::doubled, d, id);
  const bool in_order =
      d.flow == accel::Delivery::in_no_order || advance(result.flow_ends, d.flow, {d.first_byte, end});
  if (!in_order) {
    report(Fault::Kind::out_of_order, d, id);
  } else if (d.data != nullptr && golden_ != nullptr) {
    compare(d, id, *rank);
  }

  result.received += d.bytes;
  if (result.received < result.expected) return;
  result.came = {};
  result.flow_ends = {};
  if (--progress.incomplete != 0) return;
  progress.of_rank = {};
  progress.over = true;
  if (golden_ != nullptr) golden_->release(id);
}

void Scoreboard::compare(const accel::Delivery& d, hw::OperationId id, std::size_t rank) {
  const std::uint32_t element = layout_.element_bytes(id);
  const std::optional<hw::DType> dtype =
      hw::reduces(layout_.operation(id).type) ? std::make_optional(layout_.dtype(id)) : std::nullopt;
  Fault fault;
  std::optional<ResultLayout::Piece> piece;
  for (std::uint32_t done = 0; done < d.bytes;) {
    const std::uint64_t at = d.first_byte + done;
    if (!piece || at == piece->end) piece = layout_.piece_at(id, rank, at);
    const Golden::View view = golden_->view(id, *piece, at, d.bytes - done);
    const std::byte* got = d.data + done;
    if (std::memcmp(got, view.data, view.bytes) != 0) {
      for (std::uint32_t i = 0; i < view.bytes; i += element) {
        if (std::memcmp(got + i, view.data + i, element) == 0) continue;
        if (fault.elements++ != 0) continue;
        fault.element = (at + i) / element;
        fault.expected = print_element(view.data + i, dtype);
        fault.got = print_element(got + i, dtype);
      }
    }
    done += view.bytes;
  }
  verified_ += d.bytes / element - fault.elements;
  if (fault.elements == 0) return;
  wrong_ += fault.elements;
  fault.kind = Fault::Kind::value;
  fault.npu = d.npu;
  fault.operation = layout_.operation(id).id;
  fault.at = d.at;
  keep(std::move(fault));
}

void Scoreboard::report(Fault::Kind kind, const accel::Delivery& d, hw::OperationId id) {
  const std::uint64_t element = layout_.element_bytes(id);
  Fault fault;
  fault.kind = kind;
  fault.npu = d.npu;
  fault.operation = layout_.operation(id).id;
  fault.element = d.first_byte / element;
  fault.elements = std::max<std::uint64_t>(1, (d.bytes + element - 1) / element);
  fault.at = d.at;
  wrong_ += fault.elements;
  keep(std::move(fault));
}

void Scoreboard::finish() {
  for (std::uint32_t o = 0; o < progress_.size(); ++o) {
    const hw::OperationId id(o);
    const Progress& progress = progress_[o];
    if (progress.over) continue;
    for (std::size_t r = 0; r < layout_.operation(id).npus.size(); ++r) {
      if (progress.of_rank.empty()) {
        report_missing(id, r, {});
      } else if (progress.of_rank[r].received < progress.of_rank[r].expected) {
        report_missing(id, r, progress.of_rank[r].came);
      }
    }
  }
}

void Scoreboard::report_missing(hw::OperationId id, std::size_t rank, const std::vector<Stretch>& came) {
  const std::uint64_t element = layout_.element_bytes(id);
  const auto gap = [&](std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    Fault fault;
    fault.kind = Fault::Kind::missing;
    fault.npu = layout_.operation(id).npus[rank];
    fault.operation = layout_.operation(id).id;
    fault.element = begin / element;
    fault.elements = (end - begin) / element;
    missing_ += fault.elements;
    keep(std::move(fault));
  };
  for (const ResultLayout::Piece& piece : layout_.pieces(id, rank)) {
    std::uint64_t at = piece.begin;
    for (const Stretch& stretch : came) {
      if (stretch.end <= at || stretch.begin >= piece.end) continue;
      gap(at, stretch.begin);
      at = stretch.end;
    }
    gap(at, piece.end);
  }
}

void Scoreboard::keep(Fault fault) {
  if (faults_.size() < keep_faults_) faults_.push_back(std::move(fault));
}

}  // namespace fredsim::tb
