#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "tb/configuration/configuration.h"
#include "tb/systems/simulation.h"
#include "traces/chakra/load.h"

namespace fredsim {
namespace {

void collect_keys(const nlohmann::ordered_json& json, std::set<std::string>& keys) {
  if (!json.is_structured()) return;
  for (const auto& item : json.items()) {
    if (json.is_object()) keys.insert(item.key());
    if (!json.is_object() || item.key() != "config") collect_keys(item.value(), keys);
  }
}

// A run that hangs, so that `waiting` is filled too.
TEST(Docs, ExplainEveryKeyOfTheResults) {
  const std::string root = FREDSIM_SOURCE_DIR;
  tb::Simulation simulation(tb::load_configuration(root + "/tb/configs/single_switch.yaml"),
                            trace::load(root + "/docs/examples-data/opposite_orders.jsonl", 8));
  std::set<std::string> keys;
  collect_keys(to_json(simulation.run()), keys);
  ASSERT_EQ(keys.count("for"), 1u);

  std::ifstream file(root + "/docs/05-results.md");
  std::ostringstream page;
  page << file.rdbuf();
  for (const std::string& key : keys) {
    EXPECT_NE(page.str().find("`" + key + "`"), std::string::npos)
        << "docs/05-results.md says nothing of " << key;
  }
}

}  // namespace
}  // namespace fredsim
