// `fredsim trace generate training`: ready models and those of a user, bad input with its place.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

const char* const own_model = R"(name: mine
layers:
  - {name: a, parameters: 1000, flops: 2e6, output: 64}
  - {name: b, count: 3, parameters: 500, flops: 1e6, output: 64, all_reduces: 1}
)";

Outcome generate(const Folder& folder, std::vector<std::string> more) {
  more.insert(more.begin(), {"trace", "generate", "training", "-o", "t.jsonl"});
  return fredsim(more, folder.path());
}

TEST(TrainingCommand, MakesTracesOfReadyModelsThatRun) {
  const Folder folder;
  const Outcome made = generate(folder, {"--model", "resnet152", "--dp", "20"});
  ASSERT_EQ(made.exit_code, 0) << made.error;
  const Outcome checked = fredsim(
      {"trace", "check", "t.jsonl", "--config", source_path("tb/configs/fred_d.yaml")}, folder.path());
  EXPECT_EQ(checked.exit_code, 0) << checked.error << checked.out;
  for (const char* model : {"transformer17b", "gpt3", "transformer1t"}) {
    const Outcome other = generate(
        folder, {"--model", model, "--pp", "2", "--mp", "2", "--iterations", "1", "--mode", "streaming"});
    EXPECT_EQ(other.exit_code, 0) << other.error;
  }
}

TEST(TrainingCommand, RunsAModelOfTheUsersAndReportsWhatIsExposed) {
  const Folder folder;
  write_file(folder / "m.yaml", own_model);
  const Outcome made = generate(folder, {"--model", "m.yaml", "--mp", "2", "--dp", "4"});
  ASSERT_EQ(made.exit_code, 0) << made.error;
  const Outcome run = fredsim(
      {"run", source_path("tb/configs/fred_d.yaml"), "--trace", "t.jsonl", "--json", "-"}, folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const auto result = nlohmann::json::parse(run.out);
  for (std::size_t n = 0; n < 8; ++n) {
    EXPECT_GT(result["npus"][n]["compute_ns"], 0);
    EXPECT_GT(result["npus"][n]["exposed_ns"]["mp"], 0);
    EXPECT_GT(result["npus"][n]["exposed_ns"]["dp"], 0);
    EXPECT_EQ(result["npus"][n]["exposed_ns"]["stream"], 0);
  }
}

TEST(TrainingCommand, PlacesWorkersWhereItIsTold) {
  const Folder folder;
  write_file(folder / "m.yaml", own_model);
  const auto npus_of_first_sum = [&](const char* placement) {
    const Outcome made =
        generate(folder, {"--model", "m.yaml", "--mp", "2", "--dp", "2", "--placement", placement});
    EXPECT_EQ(made.exit_code, 0) << made.error;
    std::string text = read_file(folder / "t.jsonl");
    const std::size_t sum = text.find("\"all_reduce\"");
    const std::size_t list = text.find('[', sum);
    return text.substr(list, text.find(']', list) - list + 1);
  };
  EXPECT_EQ(npus_of_first_sum("mp-pp-dp"), "[0,1]");
  EXPECT_EQ(npus_of_first_sum("dp-mp-pp"), "[0,2]");
  EXPECT_EQ(npus_of_first_sum("7,4,5,6"), "[7,4]");
  const Outcome searched =
      generate(folder, {"--model", "m.yaml", "--mp", "3", "--pp", "2", "--dp", "3", "--placement", "search",
                        "--config", source_path("tb/configs/mesh.yaml")});
  EXPECT_EQ(searched.exit_code, 0) << searched.error;
}

TEST(TrainingCommand, IsRefusedWhenMemoryDoesNotHoldIt) {
  const Folder folder;
  ASSERT_EQ(generate(folder, {"--model", "transformer17b", "--mp", "3", "--pp", "2", "--dp", "3", "--samples",
                              "1", "--iterations", "1"})
                .exit_code,
            0);
  write_file(folder / "small.yaml",
             "system: tree\ntree:\n  levels: 2\n  leaf_npus: 4\n  children: 5\n  planes: 4\n"
             "npu:\n  memory: 16 GB\n");
  const Outcome run = fredsim({"run", "small.yaml", "--trace", "t.jsonl"}, folder.path());
  EXPECT_EQ(run.exit_code, 2);
  // 78 x 12 x 4256^2 weights over MP(3) and PP(2), of 2, 2 and 12 bytes.
  EXPECT_NE(run.error.find(
                "an NPU would have to keep 45.6 GB (weights 5.65 GB, gradients 5.65 GB, optimizer 33.9 GB"),
            std::string::npos)
      << run.error;
  EXPECT_NE(run.error.find("npu.memory is 16 GB"), std::string::npos) << run.error;
}

TEST(TrainingCommand, SaysWhereAModelIsWrong) {
  const Folder folder;
  const auto refused = [&](const std::string& text, const std::string& part) {
    write_file(folder / "m.yaml", text);
    const Outcome made = generate(folder, {"--model", "m.yaml"});
    EXPECT_EQ(made.exit_code, 2);
    EXPECT_NE(made.error.find(part), std::string::npos) << made.error;
  };
  refused("name: x\n", "m.yaml:1:1: layers: is missing; layers or transformer is required");
  refused("name: x\nlayers:\n  - {parameter: 1, flops: 1, output: 1}\n",
          "m.yaml:3:6: layers[0].parameter: unknown key (did you mean 'parameters'?)");
  refused("name: x\nlayers:\n  - {flops: 1, output: 1}\n",
          "layers[0].parameters: is missing; it is required");
  refused("name: x\ntransformer: {layers: 0, hidden: 4, sequence: 4}\n",
          "m.yaml:2:23: transformer.layers: 0 is out of range; allowed: 1 to 100000");
  refused("name: x\ntransformer: {layers: 1, hidden: 4, sequence: 4}\nlayers: []\n",
          "one of the two is allowed");
  refused("name: x\ninput: 5\ntransformer: {layers: 1, hidden: 4, sequence: 4}\n", "m.yaml:2:8: input:");
  refused("name: x\nname: y\ntransformer: {layers: 1, hidden: 4, sequence: 4}\n",
          "m.yaml:2:1: name: doubled");
  refused("[", "m.yaml:");
  const auto wrong = [&](std::vector<std::string> options, const std::string& part) {
    const Outcome made = generate(folder, std::move(options));
    EXPECT_EQ(made.exit_code, 2);
    EXPECT_NE(made.error.find(part), std::string::npos) << made.error;
  };
  wrong({"--model", "resnet15"}, "did you mean 'resnet152'?");
  wrong({"--model", "gpt3", "--mode", "flowing"}, "--mode");
  wrong({"--model", "gpt3", "--zero", "1"}, "allowed: 0, 2");
  wrong({"--model", "gpt3", "--placement", "mp-dp"}, "allowed: mp-pp-dp");
  wrong({"--model", "gpt3", "--dp", "2", "--placement", "0,0"}, "lists 2 different NPUs");
  wrong({"--model", "gpt3", "--placement", "search"}, "--config CONFIG");
  wrong({"--model", "gpt3", "--bucket", "25"}, "--bucket");
}

}  // namespace
}  // namespace fredsim::tb::test
