#include "tb/timeline/timeline_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace fredsim::tb {
namespace {

/// In microseconds, exactly.
std::string us(hw::Time time) {
  constexpr std::int64_t fs_in_us = 1'000'000'000;
  return fmt::format("{}.{:09}", time.fs() / fs_in_us, time.fs() % fs_in_us);
}

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class Writer {
 public:
  explicit Writer(hw::Time end) {
    text_ = fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"format\":\"fredsim-timeline\",\"version\":1,"
        "\"unit_of_ts_and_dur\":\"us\",\"simulated_us\":{}}},\"traceEvents\":[",
        us(end));
  }
  void meta(const char* name, std::size_t process, std::size_t thread, const std::string& args) {
    line(fmt::format("{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{{}}}}}", name, process,
                     thread, args));
  }
  void event(const TimelineEvent& e, std::size_t process, std::size_t thread) {
    line(fmt::format(
        "{{\"ph\":\"X\",\"name\":{},\"cat\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"args\":{{"
        "\"start_ns\":{},\"duration_ns\":{}{}}}}}",
        quoted(e.name), e.category, process, thread, us(e.begin), us(e.end - e.begin),
        nlohmann::json(e.begin.ns()).dump(), nlohmann::json((e.end - e.begin).ns()).dump(),
        e.ended ? "" : ",\"unfinished\":true"));
  }
  std::string finish() { return std::move(text_) + "\n]}\n"; }

 private:
  void line(const std::string& text) {
    text_ += first_ ? "\n" : ",\n";
    text_ += text;
    first_ = false;
  }

  std::string text_;
  bool first_ = true;
};

}  // namespace

std::string timeline_json(const std::vector<TimelineEvent>& events, hw::Time end) {
  Writer writer(end);
  std::size_t process = 0, thread = 0;
  const TimelineEvent* before = nullptr;
  for (const TimelineEvent& event : events) {
    const bool new_place = !before || event.place != before->place;
    if (new_place) {
      ++process;
      thread = 0;
      writer.meta("process_name", process, 0, "\"name\":" + quoted(event.place));
      writer.meta("process_sort_index", process, 0, fmt::format("\"sort_index\":{}", process));
    }
    if (new_place || event.row != before->row) {
      ++thread;
      writer.meta("thread_name", process, thread, "\"name\":" + quoted(event.row));
      writer.meta("thread_sort_index", process, thread, fmt::format("\"sort_index\":{}", thread));
    }
    writer.event(event, process, thread);
    before = &event;
  }
  return writer.finish();
}

std::string timeline_json(const hw::Timeline& timeline, hw::Time end) {
  return timeline_json(timeline_events(timeline, end), end);
}

}  // namespace fredsim::tb
