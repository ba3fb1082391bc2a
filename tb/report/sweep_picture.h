#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/report/html.h"

namespace fredsim::tb::report {

/// A point of a curve: the design `point` has y at x.
struct CurvePoint {
  double x = 0, y = 0;
  Json point;
  bool marked = false;  ///< an answer of the sweep
};

struct Curve {
  std::string name;
  std::vector<CurvePoint> points;  ///< by x
};

/// The point of a curve that lies farthest from the straight line between its ends, both axes scaled from 0
/// to 1: where going on in x stops paying. Nothing for less than three points, or when no point lies a tenth
/// or more off the line.
std::optional<std::size_t> knee_of(const Curve& curve, bool logarithmic);

/// Whether an axis with these values is better drawn by their logarithms.
bool spreads(const std::vector<Curve>& curves);

/// Curves with their knees and answers marked.
std::string curves_picture(const std::vector<Curve>& curves, const std::string& x, const std::string& y,
                           bool lines = true);

}  // namespace fredsim::tb::report
