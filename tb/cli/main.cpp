#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <systemc>

#include "hw/core/error.h"
#include "tb/cli/command.h"
#include "tb/cli/describe_command.h"
#include "tb/cli/describe_system.h"
#include "tb/cli/trace_command.h"
#include "tb/cli/usage_error.h"
#include "tb/configuration/configuration.h"
#include "tb/systems/plan_options.h"

/// libsystemc refers to it; the program starts in main, so that the kernel prints no banner.
int sc_main(int, char**) {
  return 0;
}

namespace fredsim::tb {

ConfiguredSystem configured_system(const std::string& path) {
  const Configuration configuration = load_configuration(path);
  if (configuration.system == SystemKind::wan) {
    throw hw::InputError(path + ": system: wan replays schedules, not traces");
  }
  return {configuration.npus(),
          [configuration](const hw::Workload& workload) { plan_for(configuration, workload); },
          plan_options(configuration)};
}

namespace {

constexpr int bad_input = 2;
constexpr int internal_error = 4;

int fail(int code, const std::string& what) {
  fmt::print(stderr, "fredsim: error: {}\n", what);
  return code;
}

int run(int argc, char** argv) {
  CLI::App app("fredsim: collective communication done by the network, modelled in SystemC/TLM-2.0",
               "fredsim");
  app.require_subcommand(1);
  app.set_version_flag("--version", "fredsim " FREDSIM_VERSION);
  app.footer(
      "Exit codes: 0 done and right, 1 wrong data, 2 bad input (nothing was run), 3 the traffic did not "
      "finish,\n"
      "4 internal error. `fredsim COMMAND --help` tells the options of a command.");
  int exit_code = 0;
  add_run_command(app, exit_code);
  add_traffic_command(app, exit_code);
  add_route_command(app, exit_code);
  add_describe_command(app, exit_code, describe_system);
  add_schedule_command(app, exit_code);
  add_trace_command(app, exit_code);
  add_sweep_command(app, exit_code);
  add_compare_commands(app, exit_code);
  add_report_command(app, exit_code);
  refuse_options_as_values(app);
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    return fail(bad_input, usage_error(app, error));
  } catch (const hw::InputError& error) {
    return fail(bad_input, error.what());
  } catch (const std::exception& error) {
    return fail(internal_error, error.what());
  }
}

/// A file opened while standard output is closed would take its place, and what is printed would end in it.
void occupy_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) == -1 && open("/dev/null", O_RDWR) != descriptor) return;
  }
}

/// An answer that did not reach its reader is no success.
int check_output(int exit_code) {
  errno = 0;
  if ((std::fflush(stdout) == 0 && std::ferror(stdout) == 0) || exit_code != 0) return exit_code;
  return fail(bad_input, fmt::format("standard output cannot be written: {}", std::strerror(errno)));
}

}  // namespace
}  // namespace fredsim::tb

int main(int argc, char** argv) {
  fredsim::tb::occupy_standard_descriptors();
  return fredsim::tb::check_output(fredsim::tb::run(argc, argv));
}
