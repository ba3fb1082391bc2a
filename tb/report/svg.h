#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fredsim::tb::report {

/// A picture under construction. Colours come from classes of the page's style sheet.
class Svg {
 public:
  Svg(double width, double height, std::string title)
      : width_(width), height_(height), title_(std::move(title)) {}

  void line(double x1, double y1, double x2, double y2, std::string_view classes, std::string_view tip = {});
  void rectangle(double x, double y, double width, double height, std::string_view classes,
                 std::string_view tip = {});
  void circle(double x, double y, double radius, std::string_view classes, std::string_view tip = {});
  void polyline(const std::vector<std::pair<double, double>>& points, std::string_view classes);
  /// `anchor`: start, middle or end.
  void text(double x, double y, std::string_view text, std::string_view anchor = "start",
            std::string_view classes = {});
  /// A text that reads upwards, its middle at the point.
  void upright(double x, double y, std::string_view text);

  std::string finish() const;

 private:
  void element(const std::string& start, std::string_view classes, std::string_view tip);

  double width_, height_;
  std::string title_;
  std::string content_;
};

/// Round steps that cover 0 (or `least`) to `most`, about `count` of them.
std::vector<double> ticks(double least, double most, int count);
/// "1.5 us": nanoseconds with the unit that suits `scale`.
std::string time_text(double ns, double scale);
/// At most six digits.
std::string number_text(double value);

}  // namespace fredsim::tb::report
