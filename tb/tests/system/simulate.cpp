#include "tb/tests/system/simulate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "tb/configuration/configuration.h"
#include "tb/tests/cli/program.h"
#include "traces/format/read.h"

namespace fredsim::tb::test {
namespace {

void write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(descriptor, text.data() + done, text.size() - done);
    if (written <= 0) _exit(2);
    done += static_cast<std::size_t>(written);
  }
}

[[noreturn]] void work_in_child(const std::function<std::string()>& work, int descriptor) {
  std::string text;
  bool failed = false;
  try {
    text = work();
    failed = testing::Test::HasFailure();
  } catch (const std::exception& error) {
    text = error.what();
    failed = true;
  }
  write_all(descriptor, text);
  _exit(failed ? 1 : 0);
}

}  // namespace

std::string apart(const std::function<std::string()>& work) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe");
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("fork");
  if (pid == 0) {
    close(ends[0]);
    work_in_child(work, ends[1]);
  }
  close(ends[1]);
  std::string text;
  char buffer[65536];
  for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) break;
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) throw std::runtime_error(fmt::format("ended by signal {}", WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) throw std::runtime_error(text);
  return text;
}

Configuration configuration_of(const Replay& run) {
  return run.configuration.empty() ? load_configuration(single_switch(), run.sets)
                                   : parse_configuration(run.configuration, "test.yaml", run.sets);
}

nlohmann::json simulate(const Replay& run) {
  const Configuration configuration = configuration_of(run);
  auto result = nlohmann::json::parse(apart([&] {
    Simulation simulation(configuration, run.workload, run.options, run.factories);
    return to_json(simulation.run()).dump();
  }));
  result.erase("performance");
  return result;
}

nlohmann::json without_abstraction(nlohmann::json result) {
  result["config"].erase("switch.abstraction");
  result.erase("command");
  return result;
}

bool is_right(const nlohmann::json& result) {
  return result["status"] == "ok" && result["wrong_elements"] == 0 && result["waiting"].empty();
}

std::string reason(const nlohmann::json& result, const std::string& operation, std::uint32_t npu) {
  for (const auto& waiting : result["waiting"]) {
    if (waiting["operation"] == operation && waiting["npu"] == npu) return waiting["for"];
  }
  return "";
}

void expect_reason(const nlohmann::json& result, const std::string& operation, std::uint32_t npu,
                   const std::string& part) {
  const std::string text = reason(result, operation, npu);
  EXPECT_NE(text.find(part), std::string::npos)
      << operation << " at NPU " << npu << " waits for '" << text << "', not '" << part << "'\n"
      << result["waiting"].dump(1);
}

std::string line(const std::string& id, const std::string& type, const std::vector<std::uint32_t>& npus,
                 const std::string& more) {
  return fmt::format("{{\"id\":\"{}\",\"type\":\"{}\",\"npus\":[{}]{}}}\n", id, type, fmt::join(npus, ","),
                     more);
}

hw::Workload workload_of(const std::string& lines, std::uint32_t npus) {
  std::istringstream in(fmt::format(
      "{{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":{},\"name\":\"test\"}}\n{}", npus, lines));
  trace::ReadResult read = trace::read(in, "test.jsonl");
  if (!read.problems.empty()) throw std::runtime_error(to_string(read.problems.front()));
  return std::move(read.workload);
}

const nlohmann::json& find(const nlohmann::json& list, const std::string& value, const std::string& key) {
  for (const nlohmann::json& item : list) {
    if (item.at(key) == value) return item;
  }
  throw std::out_of_range("no " + value);
}

// SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t Random::next() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::vector<std::uint32_t> Random::some(std::uint32_t count, std::uint32_t bound) {
  std::vector<std::uint32_t> all(bound);
  for (std::uint32_t i = 0; i < bound; ++i) all[i] = i;
  for (std::uint32_t i = 0; i < count; ++i) std::swap(all[i], all[i + below(bound - i)]);
  all.resize(count);
  return all;
}

std::uint64_t test_seed(std::uint64_t seed) {
  if (const char* text = std::getenv("FREDSIM_TEST_SEED")) seed = std::strtoull(text, nullptr, 10);
  std::printf("seed %llu; FREDSIM_TEST_SEED sets another one\n", static_cast<unsigned long long>(seed));
  return seed;
}

}  // namespace fredsim::tb::test
