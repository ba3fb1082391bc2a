#include "tb/tests/sweep/sweep_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace fredsim::tb::test {

SweepFolder::SweepFolder() {
  write_file(folder_ / "t.jsonl",
             "{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":8,\"name\":\"small\"}\n"
             "{\"id\":\"a\",\"type\":\"all_reduce\",\"npus\":[0,1,2,3,4,5,6,7],\"bytes\":1048576}\n");
}

void SweepFolder::sweep(const std::string& rest, const std::string& configuration_name) const {
  write_file(folder_ / "s.yaml",
             "config: " + configuration(configuration_name) + "\ntrace: t.jsonl\n" + rest);
}

Outcome SweepFolder::run(const std::vector<std::string>& arguments) const {
  std::vector<std::string> all = {"sweep", "s.yaml"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return fredsim(all, folder_.path());
}

std::vector<std::string> SweepFolder::rows(const std::string& query, const std::string& out) const {
  Sqlite database(folder_ / (out + "/sweep.sqlite"));
  Statement statement = database.prepare(query);
  std::vector<std::string> rows;
  while (statement.step()) {
    std::string row;
    for (int c = 0; c < statement.columns(); ++c) row += (c ? "|" : "") + statement.printed(c);
    rows.push_back(row);
  }
  return rows;
}

std::string SweepFolder::content(const std::string& out) const {
  std::string text;
  for (const char* table :
       {"sweep", "axes", "points", "parameters", "metrics", "results", "answers", "answer_points"}) {
    for (const std::string& row : rows(std::string("SELECT * FROM ") + table + " ORDER BY 1, 2", out))
      text += std::string(table) + "|" + row + "\n";
  }
  return text;
}

Background::Background(const std::vector<std::string>& arguments, const std::string& directory) {
  const std::string program = program_path();
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    const int nothing = open("/dev/null", O_RDWR);
    for (int descriptor = 0; descriptor < 3; ++descriptor) dup2(nothing, descriptor);
    if (chdir(directory.c_str()) == 0) execv(argv[0], argv.data());
    _exit(127);
  }
  if (pid_ < 0) throw std::runtime_error("fork");
}

Background::~Background() {
  end(SIGKILL);
}

bool Background::running() {
  if (pid_ == 0) return false;
  if (waitpid(pid_, &status_, WNOHANG) != pid_) return true;
  pid_ = 0;
  return false;
}

int Background::end(int signal) {
  if (running()) {
    kill(pid_, signal);
    waitpid(pid_, &status_, 0);
    pid_ = 0;
  }
  return WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
}

nlohmann::ordered_json comparable(const std::string& result) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(result);
  json.erase("performance");
  json.erase("command");
  return json;
}

std::string grid(int buffers, int latencies, int middles) {
  const auto list = [](int count, const std::string& unit, double first, double step) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i ? ", " : "") + std::to_string(first + step * i) + unit;
    return "[" + text + "]";
  };
  std::string m;
  for (int i = 0; i < middles; ++i) m += (i ? ", " : "") + std::to_string(2 + i);
  return "run: {data: false}\ncross:\n  buffer.dp: " + list(buffers, " KiB", 8, 4) +
         "\n  link.latency: " + list(latencies, " ns", 1.1, 0.5) + "\n  switch.middle: [" + m + "]\n";
}

namespace {

void expect_single_runs(const SweepFolder& folder) {
  const auto stored =
      folder.rows("SELECT r.json FROM results r JOIN points p ON p.id = r.point ORDER BY p.number");
  const auto values = folder.rows(
      "SELECT '--set|buffer.dp=' || \"buffer.dp\" || '|--set|link.latency=' || \"link.latency\" || "
      "'|--set|switch.middle=' || \"switch.middle\" FROM summary ORDER BY number");
  ASSERT_EQ(stored.size(), values.size());
  for (std::size_t i = 0; i < stored.size(); ++i) {
    std::vector<std::string> run = {
        "run", configuration("fred_d"), "--trace", "t.jsonl", "--no-data", "--json", "r.json"};
    std::istringstream sets(values[i]);
    for (std::string word; std::getline(sets, word, '|');) run.push_back(word);
    ASSERT_EQ(fredsim(run, folder.path()).exit_code, 0) << values[i];
    EXPECT_EQ(nlohmann::ordered_json::parse(stored[i]), comparable(read_file(folder / "r.json")))
        << values[i];
  }
}

}  // namespace

void expect_survives_a_kill(const std::string& sweep, std::size_t points) {
  const SweepFolder folder;
  folder.sweep(sweep);
  const auto done = [&] {
    const auto file = folder / "o/sweep.sqlite";
    if (!std::filesystem::exists(file)) return std::size_t{0};
    try {
      return folder.rows("SELECT 1 FROM points WHERE state = 'done'").size();
    } catch (const std::exception&) {
      return std::size_t{0};  // the tables are being made
    }
  };
  std::size_t before = 0;
  {
    Background sweeping({"sweep", "s.yaml", "--jobs", "2", "--out", "o"}, folder.path());
    while (sweeping.running() && (before = done()) < points / 2)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_EQ(sweeping.end(SIGKILL), 128 + SIGKILL) << "the sweep ended before it could be killed";
  }
  before = done();
  ASSERT_LT(before, points);
  ASSERT_GE(before, points / 2);
  EXPECT_EQ(folder.rows("PRAGMA integrity_check"), std::vector<std::string>{"ok"});
  const std::string first = "SELECT point, wall_s FROM timing ORDER BY point";
  const auto timing = folder.rows(first);

  const Outcome refused = folder.run({"--jobs", "2", "--out", "o"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.error.find("--resume"), std::string::npos) << refused.error;

  const Outcome outcome = folder.run({"--jobs", "2", "--out", "o", "--resume"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.out.find(std::to_string(points - before) + " now, " + std::to_string(before) + " before"),
            std::string::npos)
      << outcome.out;
  EXPECT_EQ(folder.rows("PRAGMA integrity_check"), std::vector<std::string>{"ok"});
  EXPECT_EQ(
      folder.rows(
          "SELECT count(*), count(DISTINCT number), count(DISTINCT key) FROM points WHERE state = 'done'"),
      std::vector<std::string>{std::to_string(points) + "|" + std::to_string(points) + "|" +
                               std::to_string(points)});
  // What had been run was not run again.
  const auto after = folder.rows(first);
  for (const std::string& row : timing)
    EXPECT_NE(std::find(after.begin(), after.end(), row), after.end()) << row;
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "o"))
    left.push_back(entry.path().filename());
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, (std::vector<std::string>{"points.csv", "sweep.sqlite"}));
  expect_single_runs(folder);
}

}  // namespace fredsim::tb::test
