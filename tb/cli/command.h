#pragma once

#include <CLI/CLI.hpp>

namespace fredsim::tb {

/// Each command adds its subcommand with options and help to `app`, and a callback that carries it out and
/// leaves the exit code in `exit_code` (0 done and right, 1 wrong data, 3 did not finish). Bad input is
/// thrown as hw::InputError (exit 2), a contradiction of the model as hw::InternalError (exit 4).
void add_run_command(CLI::App& app, int& exit_code);
void add_compare_commands(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_route_command(CLI::App& app, int& exit_code);
void add_schedule_command(CLI::App& app, int& exit_code);
void add_sweep_command(CLI::App& app, int& exit_code);
void add_trace_command(CLI::App& app, int& exit_code);
void add_traffic_command(CLI::App& app, int& exit_code);

}  // namespace fredsim::tb
