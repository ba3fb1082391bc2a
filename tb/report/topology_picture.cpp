#include "tb/report/topology_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tb/report/svg.h"

namespace fredsim::tb::report {
namespace {

constexpr std::size_t most_ends = 160;      // NPUs and controllers that still have room
constexpr std::size_t most_switches = 200;  // of a level

struct Point {
  double x = 0, y = 0;
};

struct DrawnLink {
  std::string name, from, to;
  Json utilization;
};

std::vector<DrawnLink> links_of(const Json& result) {
  const std::string between = result.contains("sites") ? ">" : "_to_";
  std::vector<DrawnLink> links;
  for (const Json& link : result.at("links")) {
    const std::string name = link.at("name");
    const std::size_t middle = name.find(between);
    if (middle == std::string::npos) continue;
    links.push_back(
        {name, name.substr(0, middle), name.substr(middle + between.size()), link.at("utilization")});
  }
  return links;
}

bool is_end(const std::string& node) {
  const auto numbered = [&](const std::string& stem) {
    return node.rfind(stem, 0) == 0 && node.size() > stem.size() &&
           std::all_of(node.begin() + static_cast<std::ptrdiff_t>(stem.size()), node.end(),
                       [](unsigned char c) { return std::isdigit(c); });
  };
  return numbered("npu") || numbered("io");
}

/// Of a tree's switch: "l2_0" is of level 2; a single switch is of level 1.
int level_of(const std::string& node) {
  return node.size() > 1 && node[0] == 'l' && std::isdigit(static_cast<unsigned char>(node[1]))
             ? node[1] - '0'
             : 1;
}

const char* use_class(double utilization) {
  if (utilization <= 0) return "u0";
  if (utilization < 0.25) return "u1";
  if (utilization < 0.5) return "u2";
  if (utilization < 0.75) return "u3";
  return utilization < 0.9 ? "u4" : "u5";
}

class Picture {
 public:
  explicit Picture(std::vector<DrawnLink> links) : links_(std::move(links)) {}

  bool lay_tree(std::string& left_out) {
    std::map<int, std::vector<std::string>> levels;
    std::map<std::string, std::vector<std::string>> ends;  // below a leaf switch
    std::size_t end_count = 0;
    std::set<std::string> seen;
    const auto visit = [&](const std::string& node, const std::string& other) {
      if (!seen.insert(node).second) return;
      if (is_end(node)) {
        ends[other].push_back(node);
        ++end_count;
      } else {
        levels[level_of(node)].push_back(node);
      }
    };
    for (const DrawnLink& link : links_) {
      visit(link.from, link.to);
      visit(link.to, link.from);
    }
    for (auto& [level, nodes] : levels) {
      std::sort(nodes.begin(), nodes.end(), [](const std::string& a, const std::string& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
      });
      if (nodes.size() > most_switches) return false;
    }
    if (levels.empty()) return false;
    const bool with_ends = end_count <= most_ends;
    if (!with_ends) {
      left_out = fmt::format(
          "{} NPUs and I/O controllers and their links are not drawn; the table of links has them.",
          end_count);
    }
    const int top = levels.rbegin()->first;
    constexpr double row = 110, margin = 60;
    const auto y_of = [&](int level) { return 60 + (top - level) * row; };
    double x = margin;
    for (const std::string& leaf : levels.begin()->second) {
      const std::vector<std::string>& below = ends[leaf];
      const double first = x;
      if (with_ends) {
        for (const std::string& end : below) {
          at_[end] = {x, y_of(1) + row};
          x += 27;
        }
      }
      const double last = std::max(x - 27, first);
      at_[leaf] = {(first + last) / 2, y_of(1)};
      x = std::max(x, first + 60) + 14;
    }
    width_ = std::max(x + margin - 40, 540.0);
    height_ = y_of(1) + (with_ends ? row + 60 : 60);
    for (const auto& [level, nodes] : levels) {
      if (level == 1) continue;
      for (std::size_t i = 0; i < nodes.size(); ++i)
        at_[nodes[i]] = {width_ * (static_cast<double>(i) + 0.5) / static_cast<double>(nodes.size()),
                         y_of(level)};
    }
    return true;
  }

  bool lay_mesh() {
    int rows = 0, columns = 0;
    std::map<std::string, std::pair<int, int>> routers;
    for (const DrawnLink& link : links_) {
      int r = 0, c = 0;
      if (std::sscanf(link.from.c_str(), "r%d_%d", &r, &c) != 2) continue;
      routers[link.from] = {r, c};
      rows = std::max(rows, r + 1);
      columns = std::max(columns, c + 1);
    }
    constexpr double step = 90, margin = 110;
    for (const auto& [name, place] : routers)
      at_[name] = {margin + place.second * step, margin + place.first * step};
    std::map<std::string, std::vector<Point>> sides;  // that lead to nothing yet
    for (const auto& [name, place] : routers) {
      if (place.first == 0) sides[name].push_back({0, -1});
      if (place.second == columns - 1) sides[name].push_back({1, 0});
      if (place.first == rows - 1) sides[name].push_back({0, 1});
      if (place.second == 0) sides[name].push_back({-1, 0});
    }
    for (const DrawnLink& link : links_) {
      if (!is_end(link.from) || at_.count(link.from) > 0 || routers.count(link.to) == 0) continue;
      const Point router = at_[link.to];
      if (link.from.rfind("npu", 0) == 0) {
        at_[link.from] = {router.x + 32, router.y + 32};
        continue;
      }
      std::vector<Point>& free = sides[link.to];
      if (free.empty()) continue;
      at_[link.from] = {router.x + 62 * free.front().x, router.y + 62 * free.front().y};
      free.erase(free.begin());
    }
    width_ = std::max(2 * margin + (columns - 1) * step, 540.0);
    height_ = 2 * margin + (rows - 1) * step + 20;
    return columns <= 16 && rows <= 16;
  }

  bool lay_circle() {
    std::vector<std::string> nodes;
    for (const DrawnLink& link : links_) {
      for (const std::string& node : {link.from, link.to}) {
        if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
      }
    }
    const double radius = std::max(170.0, 14.0 * static_cast<double>(nodes.size()));
    constexpr double turn = 6.283185307179586;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double angle = turn * static_cast<double>(i) / static_cast<double>(nodes.size()) - turn / 4;
      at_[nodes[i]] = {radius + 70 + radius * std::cos(angle), radius + 40 + radius * std::sin(angle)};
    }
    width_ = std::max(2 * radius + 140, 540.0);
    height_ = 2 * radius + 110;
    return nodes.size() <= most_ends;
  }

  std::string draw(const std::string& title) const {
    Svg svg(width_, height_ + 30, title);
    // The two directions side by side.
    constexpr double apart = 2.4;
    for (const DrawnLink& link : links_) {
      const auto a = at_.find(link.from), b = at_.find(link.to);
      if (a == at_.end() || b == at_.end()) continue;
      const double dx = b->second.x - a->second.x, dy = b->second.y - a->second.y;
      const double length = std::max(std::hypot(dx, dy), 1.0);
      const double ox = -dy / length * apart, oy = dx / length * apart;
      svg.line(a->second.x + ox, a->second.y + oy, b->second.x + ox, b->second.y + oy,
               std::string("link ") + use_class(link.utilization.get<double>()),
               link.name + ": utilization " + shown(link.utilization));
    }
    for (const auto& [name, point] : at_) {
      if (is_end(name)) {
        svg.circle(point.x, point.y, 11, "box", name);
        const bool npu = name[0] == 'n';
        svg.text(point.x, point.y + 4, npu ? name.substr(3) : name.substr(2), "middle", npu ? "" : "soft");
      } else {
        const double half = std::max(16.0, 4.0 * static_cast<double>(name.size()) + 4);
        svg.rectangle(point.x - half, point.y - 12, 2 * half, 24, "box", name);
        svg.text(point.x, point.y + 4, name, "middle");
      }
    }
    legend(svg);
    return svg.finish();
  }

 private:
  void legend(Svg& svg) const {
    const char* const texts[] = {"0", "< 25 %", "< 50 %", "< 75 %", "< 90 %", "to 100 %"};
    double x = 10;
    const double y = height_ + 12;
    for (int i = 0; i < 6; ++i) {
      svg.line(x, y, x + 20, y, fmt::format("link u{}", i));
      svg.text(x + 24, y + 4, texts[i]);
      x += 84;
    }
  }

  std::vector<DrawnLink> links_;
  std::map<std::string, Point> at_;
  double width_ = 400, height_ = 300;
};

}  // namespace

std::string topology_picture(const Json& result, std::string& left_out) {
  const std::string system = result.at("config").value("system", "");
  Picture picture(links_of(result));
  if (result.at("links").empty()) return {};
  const bool fits = system == "wan"    ? picture.lay_circle()
                    : system == "mesh" ? picture.lay_mesh()
                                       : picture.lay_tree(left_out);
  if (!fits) {
    left_out = "The system is too large to be drawn; the table of links has every link.";
    return {};
  }
  return picture.draw("Topology, links coloured by their utilization");
}

}  // namespace fredsim::tb::report
