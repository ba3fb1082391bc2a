#include "tb/report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tb/report/svg.h"

namespace fredsim::tb::report {
namespace {

constexpr std::size_t most_rows = 128;

void time_axis(Svg& svg, double left, double right, double top, double bottom, double end) {
  for (const double at : ticks(0, end, 8)) {
    const double x = left + (right - left) * at / end;
    svg.line(x, top, x, bottom, "grid");
    svg.text(x, bottom + 14, time_text(at, end), "middle");
  }
}

struct Part {
  const char* kind;
  const char* text;
};
constexpr std::array<Part, 6> parts = {{{"compute", "computing"},
                                        {"mp", "exposed MP"},
                                        {"pp", "exposed PP"},
                                        {"dp", "exposed DP"},
                                        {"stream", "exposed streams"},
                                        {"load", "exposed loads"}}};

constexpr std::array<Part, 3> site_parts = {
    {{"load", "on the wafer"}, {"dp", "latencies and lines"}, {"pp", "aggregators, jitter, loss"}}};
constexpr std::array<const char*, 3> site_keys = {"wafer_ns", "wan_ns", "aggregator_ns"};

double legend(Svg& svg, double x, double y) {
  for (const Part& part : parts) {
    svg.rectangle(x, y - 10, 12, 12, std::string("k-") + part.kind);
    svg.text(x + 16, y, part.text);
    x += 132;
  }
  return x;
}

}  // namespace

std::string time_shares_picture(const Json& result) {
  const double end = result.at("simulated_ns").get<double>();
  const bool wan = result.contains("sites");
  const Json& list = wan ? result.at("sites") : result.at("npus");
  if (list.empty() || end <= 0) return {};
  const std::size_t rows = std::min(list.size(), most_rows);
  constexpr double left = 70, right = 900, step = 18;
  const double bottom = 30 + step * static_cast<double>(rows);
  Svg svg(right + 60, bottom + 40, "How the time is spent");
  if (wan) {
    svg.rectangle(left, 6, 12, 12, "k-compute");
    svg.text(left + 16, 16, "computing");
    double x = left + 110;
    for (const Part& part : site_parts) {
      svg.rectangle(x, 6, 12, 12, std::string("k-") + part.kind);
      svg.text(x + 16, 16, part.text);
      x += 190;
    }
  } else {
    legend(svg, left, 16);
  }
  time_axis(svg, left, right, 26, bottom, end);
  double y = 30;
  for (std::size_t i = 0; i < rows; ++i) {
    const Json& one = list[i];
    const std::string name = wan ? one.at("name").get<std::string>() : "npu" + shown(one.at("id"));
    svg.text(left - 6, y + 12, name, "end");
    double x = left;
    const auto bar = [&](const char* kind, const std::string& key, const Json& ns) {
      const double width = (right - left) * ns.get<double>() / end;
      if (width > 0)
        svg.rectangle(x, y + 2, width, step - 5, std::string("k-") + kind,
                      name + ": " + key + " " + shown(ns));
      x += width;
    };
    bar("compute", "compute_ns", one.at("compute_ns"));
    for (std::size_t p = 0; wan && p < site_parts.size(); ++p)
      bar(site_parts[p].kind, site_keys[p], one.at(site_keys[p]));
    for (std::size_t p = 1; !wan && p < parts.size(); ++p) {
      bar(parts[p].kind, std::string("exposed_ns.") + parts[p].kind, one.at("exposed_ns").at(parts[p].kind));
    }
    y += step;
  }
  return svg.finish();
}

std::string histograms_picture(const Json& result, std::size_t count) {
  std::vector<const Json*> found;
  const Json& list = result.contains("aggregators") ? result.at("aggregators") : result.at("buffers");
  for (const Json& one : list) {
    if (one.contains("histogram") && one.at("histogram").at("ns").size() > 1) found.push_back(&one);
  }
  if (found.empty()) return {};
  const auto weight = [](const Json& one) {
    double sum = 0, i = 0;
    for (const Json& ns : one.at("histogram").at("ns")) sum += ns.get<double>() * i++;
    return sum * one.at("histogram").at("bucket_bytes").get<double>();
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const Json* a, const Json* b) { return weight(*a) > weight(*b); });
  found.resize(std::min(found.size(), count));
  const double end = result.at("simulated_ns").get<double>();
  constexpr double width = 300, height = 170, plot = 240, depth = 90;
  const std::size_t columns = std::min<std::size_t>(3, found.size());
  Svg svg(width * static_cast<double>(columns),
          height * static_cast<double>((found.size() + columns - 1) / columns), "Histograms of occupancy");
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Json& one = *found[i];
    const Json& ns = one.at("histogram").at("ns");
    const double left = width * static_cast<double>(i % columns) + 40;
    const double base = height * static_cast<double>(i / columns) + 30 + depth;
    const std::string name = one.at("name");
    svg.text(left, base - depth - 12, name);
    for (const double share : {0.0, 0.5, 1.0}) {
      svg.line(left, base - depth * share, left + plot, base - depth * share, "grid");
      svg.text(left - 4, base - depth * share + 4, fmt::format("{:g}", 100 * share), "end", "soft");
    }
    const double bar = plot / static_cast<double>(ns.size());
    const std::uint64_t bytes = whole(one.at("histogram").at("bucket_bytes"));
    for (std::size_t b = 0; b < ns.size(); ++b) {
      const double tall = depth * ns[b].get<double>() / end;
      svg.rectangle(
          left + bar * static_cast<double>(b) + 1, base - tall, std::max(bar - 2, 0.5), tall, "bar",
          fmt::format("{}, {} to {} bytes: {} ns", name, b * bytes, (b + 1) * bytes - 1, shown(ns[b])));
    }
    const auto step = static_cast<std::size_t>(std::max(1.0, static_cast<double>(ns.size()) / 6));
    for (std::size_t b = 0; b < ns.size(); b += step)
      svg.text(left + bar * (static_cast<double>(b) + 0.5), base + 14,
               number_text(static_cast<double>(b * bytes) / 1024), "middle");
    svg.text(left + plot / 2, base + 29, "KiB held, at least; % of time", "middle", "soft");
  }
  return svg.finish();
}

}  // namespace fredsim::tb::report
