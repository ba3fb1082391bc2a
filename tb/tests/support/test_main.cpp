#include <gtest/gtest.h>

#include <systemc>

#include "hw/link/sim_time.h"

namespace {

/// A warning of the kernel is a failure of the test.
void report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_WARNING) ADD_FAILURE() << report.what();
  sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace

int sc_main(int, char**) {
  return 0;
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  sc_core::sc_report_handler::set_handler(report);
  fredsim::hw::set_time_resolution();
  return RUN_ALL_TESTS();
}
