#include "tb/report/svg.h"

#include <fmt/format.h>

#include <cmath>

#include "tb/report/html.h"

namespace fredsim::tb::report {

void Svg::element(const std::string& start, std::string_view classes, std::string_view tip) {
  content_ += start;
  if (!classes.empty()) content_ += fmt::format(" class=\"{}\"", escaped(classes));
  if (tip.empty()) {
    content_ += "/>\n";
    return;
  }
  content_ += fmt::format("><title>{}</title></{}>\n", escaped(tip), start.substr(1, start.find(' ') - 1));
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view classes, std::string_view tip) {
  element(fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"", x1, y1, x2, y2),
          classes, tip);
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view classes,
                    std::string_view tip) {
  element(
      fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"", x, y, width, height),
      classes, tip);
}

void Svg::circle(double x, double y, double radius, std::string_view classes, std::string_view tip) {
  element(fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"", x, y, radius), classes, tip);
}

void Svg::polyline(const std::vector<std::pair<double, double>>& points, std::string_view classes) {
  std::string list;
  for (const auto& [x, y] : points) list += fmt::format("{:.1f},{:.1f} ", x, y);
  element("<polyline points=\"" + list + "\"", classes, {});
}

void Svg::text(double x, double y, std::string_view text, std::string_view anchor, std::string_view classes) {
  content_ +=
      fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor,
                  classes.empty() ? "" : fmt::format(" class=\"{}\"", escaped(classes)), escaped(text));
}

void Svg::upright(double x, double y, std::string_view text) {
  content_ += fmt::format(
      "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n", x, y,
      escaped(text));
}

std::string Svg::finish() const {
  return fmt::format(
      "<svg role=\"img\" width=\"{:.0f}\" height=\"{:.0f}\" viewBox=\"0 0 {:.0f} "
      "{:.0f}\" aria-label=\"{}\">\n{}</svg>",
      width_, height_, width_, height_, escaped(title_), content_);
}

std::vector<double> ticks(double least, double most, int count) {
  std::vector<double> result;
  const double span = most - least;
  if (!(span > 0)) return {least};
  const double rough = span / count;
  const double magnitude = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * magnitude;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * magnitude >= rough) step = factor * magnitude;
  }
  for (double i = std::ceil(least / step - 1e-9); i * step <= most + step * 1e-9; ++i)
    result.push_back(i * step + 0.0);  // no -0
  return result;
}

std::string time_text(double ns, double scale) {
  if (scale >= 1e9) return fmt::format("{:g} s", ns / 1e9);
  if (scale >= 1e6) return fmt::format("{:g} ms", ns / 1e6);
  if (scale >= 1e3) return fmt::format("{:g} us", ns / 1e3);
  return fmt::format("{:g} ns", ns);
}

std::string number_text(double value) {
  return fmt::format("{:.6g}", value);
}

}  // namespace fredsim::tb::report
