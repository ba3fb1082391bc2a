#include "tb/report/run_section.h"

#include <fmt/format.h>

#include <algorithm>

#include "tb/report/charts.h"
#include "tb/report/topology_picture.h"

namespace fredsim::tb::report {
namespace {

std::string note(const std::string& text) {
  return text.empty() ? "" : "<p class=\"note\">" + text + "</p>\n";
}

/// The element of a list with the largest number under `key`; null for an empty list.
Json largest(const Json& list, const char* key) {
  Json found;
  for (const Json& one : list) {
    if (one.contains(key) && one.at(key).is_number() && (found.is_null() || one.at(key) > found.at(key)))
      found = one;
  }
  return found;
}

class RunSection {
 public:
  RunSection(const ResultFile& file, std::string id)
      : file_(file), result_(file.result), id_(std::move(id)), wan_(file.result.contains("sites")) {}

  std::string html() {
    text_ = fmt::format("<section id=\"{}\"><h2>{}</h2>\n", id_, escaped(file_.name));
    summary();
    topology();
    operations();
    shares();
    histograms();
    cost();
    tables();
    text_ += details("Configuration: every parameter in effect", configuration(), false);
    return text_ + "</section>\n";
  }

 private:
  /// "links[].utilization of r.json".
  std::string from(const std::string& keys) const {
    return fmt::format("From {} of {}.", code(keys), code(file_.name));
  }

  void summary() {
    Table table({"result", "value"});
    const auto add = [&](const std::string& key, const Json& value) {
      if (!value.is_null()) table.add({key, value});
    };
    for (const char* key : {"status", "simulated_ns", "seed", "verified_elements", "wrong_elements",
                            "saturated", "offered_bytes_per_s", "accepted_bytes_per_s"}) {
      if (result_.contains(key)) add(key, result_.at(key));
    }
    if (const Json link = largest(result_.at("links"), "utilization"); !link.is_null()) {
      add("busiest link", link.at("name"));
      add("its utilization", link.at("utilization"));
    }
    if (result_.contains("cost")) {
      const Json& cost = result_.at("cost");
      for (const char* key : {"energy_j", "mean_power_w", "peak_power_w", "area_mm2"}) {
        if (cost.contains(key)) add(std::string("cost.") + key, cost.at(key));
      }
    }
    text_ += table.html();
    if (result_.contains("waiting") && !result_.at("waiting").empty())
      text_ += "<h3>What has not ended, and why</h3>\n" + table_of(result_.at("waiting")).html(200);
    if (result_.contains("reasons") && !result_.at("reasons").empty()) {
      text_ += "<h3>Reasons</h3><ul>";
      for (const Json& reason : result_.at("reasons")) text_ += "<li>" + escaped(shown(reason)) + "</li>";
      text_ += "</ul>\n";
    }
    text_ += "<p>To reproduce:</p>\n<pre>" + escaped(command()) + "</pre>\n";
  }

  /// Without one (a result that another program has written) the parameters are all there is.
  std::string command() const {
    if (!result_.contains("command") || !result_.at("command").is_string())
      return "fredsim run CONFIG ... with the configuration below";
    std::string text = result_.at("command").get<std::string>() + " --json " + file_.name;
    if (!file_.timeline_name.empty()) text += " --timeline " + file_.timeline_name;
    return text;
  }

  void topology() {
    std::string left_out;
    const std::string picture = topology_picture(result_, left_out);
    text_ += "<h3>Topology</h3>\n";
    if (!picture.empty()) {
      text_ += figure(picture,
                      "Each link twice, once a direction, coloured by its utilization; point at it for its "
                      "name and number. " +
                          from("links[].utilization"));
    }
    text_ += note(left_out);
  }

  void operations() {
    std::string left_out;
    const std::string picture = operations_picture(result_, file_.timeline, left_out);
    if (picture.empty()) return;
    text_ += "<h3>Operations</h3>\n";
    const std::string caption =
        file_.timeline.is_null()
            ? "Each operation at all its members, from the first member's start to the last one's end (a run "
              "with "
              "<code>--timeline</code>, written beside the result as <code>NAME.timeline.json</code>, shows "
              "each member's "
              "own times, and when communication is exposed). " +
                  from("operations[]")
            : fmt::format(
                  "Operations at each NPU, by class; rows <em>exposed</em>: waiting for communication while "
                  "nothing is computed. From {}.",
                  code(file_.timeline_name));
    text_ +=
        figure(picture, wan_ ? "The rounds of each site. " + from("operations[]") : caption) + note(left_out);
  }

  void shares() {
    const std::string picture = time_shares_picture(result_);
    if (picture.empty()) return;
    text_ += wan_ ? "<h3>Time of each site</h3>\n" : "<h3>Time of each NPU</h3>\n";
    text_ += figure(picture, from(wan_ ? "sites[].compute_ns, wafer_ns, wan_ns, aggregator_ns"
                                       : "npus[].compute_ns, exposed_ns"));
  }

  void histograms() {
    const bool memories = wan_;
    text_ += memories ? "<h3>Slot memories</h3>\n" : "<h3>Buffers</h3>\n";
    const std::string picture = histograms_picture(result_, 9);
    if (!picture.empty()) {
      text_ += figure(picture,
                      fmt::format("How long each held how much: the nine that held most on average, of those "
                                  "that held anything. {}",
                                  from(memories ? "aggregators[].histogram" : "buffers[].histogram")));
      return;
    }
    const Json& list = result_.at(memories ? "aggregators" : "buffers");
    const bool kept = !list.empty() && list[0].contains("histogram");
    text_ += note(kept ? "None of them held anything for any time."
                       : "The result has no histograms; a run with <code>--histograms</code> has.");
  }

  void cost() {
    if (!result_.contains("cost")) return;
    text_ += "<h3>Energy</h3>\n" + table_of(result_.at("cost").at("energy")).html();
    text_ +=
        note(from("cost") + " Coefficients: " + code(shown(result_.at("cost").at("coefficients"))) + ".");
  }

  void tables() {
    text_ += "<h3>Tables</h3>\n<p class=\"note\">A click on a heading sorts.</p>\n";
    for (const char* key :
         {"operations", "sites", "npus", "flows", "links", "buffers", "switches", "aggregators"}) {
      if (!result_.contains(key) || result_.at(key).empty()) continue;
      Json list = Json::array();
      for (Json one : result_.at(key)) {
        one.erase("histogram");  // drawn above
        list.push_back(std::move(one));
      }
      text_ += details(fmt::format("{} ({})", key, list.size()), table_of(list).html(),
                       std::string(key) == "operations");
    }
  }

  std::string configuration() const {
    Table table({"parameter", "value"});
    for (const auto& [key, value] : result_.at("config").items()) table.add({key, value});
    return table.html();
  }

  const ResultFile& file_;
  const Json& result_;
  std::string id_;
  bool wan_;
  std::string text_;
};

}  // namespace

std::string run_section(const ResultFile& file, const std::string& id) {
  return RunSection(file, id).html();
}

std::string runs_table(const std::vector<ResultFile>& files) {
  Table table({"file", "system", "status", "simulated_ns", "busiest link", "utilization", "cost.energy_j",
               "cost.area_mm2"});
  for (const ResultFile& file : files) {
    const Json link = largest(file.result.at("links"), "utilization");
    const auto of_cost = [&](const char* key) {
      return file.result.contains("cost") && file.result.at("cost").contains(key)
                 ? file.result.at("cost").at(key)
                 : Json();
    };
    table.add({file.name, file.result.at("config").value("system", ""), file.result.at("status"),
               file.result.at("simulated_ns"), link.is_null() ? Json() : link.at("name"),
               link.is_null() ? Json() : link.at("utilization"), of_cost("energy_j"), of_cost("area_mm2")});
  }
  return table.html();
}

}  // namespace fredsim::tb::report
