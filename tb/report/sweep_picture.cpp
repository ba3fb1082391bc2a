#include "tb/report/sweep_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tb/report/svg.h"

namespace fredsim::tb::report {

std::optional<std::size_t> knee_of(const Curve& curve, bool logarithmic) {
  const std::vector<CurvePoint>& p = curve.points;
  if (p.size() < 3) return std::nullopt;
  const auto at = [&](double x) { return logarithmic ? std::log(x) : x; };
  const double x0 = at(p.front().x), width = at(p.back().x) - x0;
  const auto [low, high] = std::minmax_element(
      p.begin(), p.end(), [](const CurvePoint& a, const CurvePoint& b) { return a.y < b.y; });
  const double height = high->y - low->y;
  if (!(width > 0) || !(height > 0)) return std::nullopt;
  const double end = (p.back().y - p.front().y) / height;
  std::optional<std::size_t> knee;
  double farthest = 0.1;
  for (std::size_t i = 1; i + 1 < p.size(); ++i) {
    const double u = (at(p[i].x) - x0) / width, v = (p[i].y - p.front().y) / height;
    const double off = std::abs(v - end * u) / std::hypot(1, end);
    if (off <= farthest) continue;
    farthest = off;
    knee = i;
  }
  return knee;
}

namespace {

/// The values themselves where these are few and not too close, else round ones.
std::vector<double> marks(const std::vector<Curve>& curves, double least, double most) {
  std::set<double> values;
  for (const Curve& curve : curves) {
    for (const CurvePoint& p : curve.points) values.insert(p.x);
  }
  bool apart = values.size() <= 10;
  for (auto at = values.begin(); apart && at != values.end() && std::next(at) != values.end(); ++at)
    apart = *std::next(at) - *at > 0.07 * (most - least);
  return apart ? std::vector<double>(values.begin(), values.end()) : ticks(least, most, 7);
}

}  // namespace

bool spreads(const std::vector<Curve>& curves) {
  double least = HUGE_VAL, most = 0;
  for (const Curve& curve : curves) {
    for (const CurvePoint& p : curve.points) {
      least = std::min(least, p.x);
      most = std::max(most, p.x);
    }
  }
  return least > 0 && most / least > 20;
}

std::string curves_picture(const std::vector<Curve>& curves, const std::string& x, const std::string& y,
                           bool lines) {
  constexpr double left = 90, right = 640, top = 20, bottom = 330;
  double x0 = HUGE_VAL, x1 = -HUGE_VAL, y0 = HUGE_VAL, y1 = -HUGE_VAL;
  for (const Curve& curve : curves) {
    for (const CurvePoint& p : curve.points) {
      x0 = std::min(x0, p.x), x1 = std::max(x1, p.x);
      y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
    }
  }
  // From 0 unless that would leave next to nothing of the picture.
  if (y0 > 0 && y0 < 0.7 * y1) y0 = 0;
  if (!lines && x0 > 0 && x0 < 0.7 * x1) x0 = 0;
  if (y0 == y1) y1 = y0 + std::max(1.0, std::abs(y0));
  if (x0 == x1) x1 = x0 + std::max(1.0, std::abs(x0));
  const bool logarithmic = lines && spreads(curves);
  const auto scale = [&](double v) { return logarithmic ? std::log(v) : v; };
  const auto px = [&](double v) {
    return left + (right - left) * (scale(v) - scale(x0)) / (scale(x1) - scale(x0));
  };
  const auto py = [&](double v) { return bottom - (bottom - top) * (v - y0) / (y1 - y0); };
  Svg svg(960, bottom + 60, y + " against " + x);
  for (const double at : ticks(y0, y1, 6)) {
    svg.line(left, py(at), right, py(at), "grid");
    svg.text(left - 6, py(at) + 4, number_text(at), "end");
  }
  if (logarithmic) {
    for (double at = std::pow(2, std::ceil(std::log2(x0) - 1e-9)); at <= x1 * (1 + 1e-9);
         at *= std::max(2.0, std::pow(2, std::round(std::log2(x1 / x0) / 8)))) {
      svg.line(px(at), top, px(at), bottom, "grid");
      svg.text(px(at), bottom + 16, number_text(at), "middle");
    }
  } else {
    for (const double at : marks(curves, x0, x1)) {
      svg.line(px(at), top, px(at), bottom, "grid");
      svg.text(px(at), bottom + 16, number_text(at), "middle");
    }
  }
  svg.text((left + right) / 2, bottom + 38, x + (logarithmic ? " (logarithmic)" : ""), "middle");
  svg.upright(18, (top + bottom) / 2, y);
  double legend = top + 10;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const std::string colour = fmt::format("s{}", c % 8);
    std::vector<std::pair<double, double>> path;
    for (const CurvePoint& p : curves[c].points) path.emplace_back(px(p.x), py(p.y));
    if (lines) svg.polyline(path, "curve " + colour);
    const std::optional<std::size_t> knee = lines ? knee_of(curves[c], logarithmic) : std::nullopt;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const CurvePoint& p = curves[c].points[i];
      const std::string tip = fmt::format("point {}: {} = {}, {} = {}{}", shown(p.point), x, shown(Json(p.x)),
                                          y, shown(Json(p.y)), p.marked ? ", an answer" : "");
      svg.circle(path[i].first, path[i].second, 4, "mark " + colour, tip);
      if (p.marked) svg.circle(path[i].first, path[i].second, 8, "curve " + colour, tip);
      if (knee != i) continue;
      svg.rectangle(path[i].first - 9, path[i].second - 9, 18, 18, "knee", "knee: " + tip);
      svg.text(path[i].first + 12, path[i].second + 20, "knee " + number_text(p.x));
    }
    if (curves.size() > 1 || !curves[c].name.empty()) {
      svg.line(right + 20, legend, right + 44, legend, "curve " + colour);
      svg.text(right + 50, legend + 4, curves[c].name);
      legend += 18;
    }
  }
  return svg.finish();
}

}  // namespace fredsim::tb::report
