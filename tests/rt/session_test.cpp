// SPDX-License-Identifier: Apache-2.0
// A run inside of a program that has started MPI itself, as the test's main has.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <cartwright/rt/execute.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <cartwright/rt/runtime.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace cartwright::rt {
namespace {

class SessionTest : public testing::Test {
 protected:
  void SetUp() override {
    int id = static_cast<int>(getpid());
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    folder_ = std::filesystem::temp_directory_path() / ("session_" + std::to_string(id));
    std::filesystem::create_directories(folder_);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    if (rank_ == 0) std::ofstream(folder_ / "deck.yaml") << "log: {level: quiet}\ntrace: t.json\n";
    MPI_Barrier(MPI_COMM_WORLD);
  }
  void TearDown() override {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_ == 0) std::filesystem::remove_all(folder_);
  }
  int run(const std::function<void(Runtime&)>& body, std::vector<Module> modules = {},
          std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"test", (folder_ / "deck.yaml").string()});
    std::vector<char*> arguments;
    for (std::string& option : options) arguments.push_back(option.data());
    arguments.push_back(nullptr);
    return execute(static_cast<int>(options.size()), arguments.data(),
                   {"test", "1.0", "abc", "a test", {}}, std::move(modules), body, body);
  }
  std::filesystem::path folder_;
  int rank_ = 0;
};

TEST_F(SessionTest, BorrowsMpi) {
  {
    const MpiSession session;
    EXPECT_FALSE(session.started_here());
    EXPECT_GE(session.thread_level(), MPI_THREAD_FUNNELED);
    EXPECT_EQ(session.world().rank().value, rank_);
  }
  int finalised = 1;
  MPI_Finalized(&finalised);
  EXPECT_EQ(finalised, 0);
}

TEST_F(SessionTest, RunsModulesInOrderAndWritesItsFiles) {
  std::string order;
  const auto module = [&order](const std::string& name) {
    return Module{.name = name,
                  .start = [&order, name](Runtime&) { order += "+" + name; },
                  .report = [&order, name](Runtime&, Report&) { order += "=" + name; },
                  .stop = [&order, name](Runtime&) { order += "-" + name; }};
  };
  const int code = run(
      [&](Runtime& runtime) {
        order += "body";
        runtime.set_output_directory(folder_.string());
        const Timed timed(runtime.trace(), runtime.trace().region("work"));
      },
      {module("a"), module("b")});
  EXPECT_EQ(code, 0);
  EXPECT_EQ(order, "+a+bbody=a=b-b-a");
  if (rank_ != 0) return;
  const auto report = nlohmann::json::parse(std::ifstream(folder_ / "report.json"));
  EXPECT_EQ(report["sections"]["run"]["program"], "test");
  std::set<std::string> names;
  double seconds = 0;
  for (const auto& region : report["regions"]) {
    names.insert(region["name"]);
    seconds += region["mean_seconds"].get<double>();
  }
  EXPECT_EQ(names, (std::set<std::string>{"start-up", "work", "final report", "other"}));
  EXPECT_NEAR(seconds, report["whole_run"]["mean_seconds"], 1e-9);
  EXPECT_FALSE(nlohmann::json::parse(std::ifstream(folder_ / "t.json")).empty());
}

TEST_F(SessionTest, ReturnsTheCodeThatTheBodyChose) {
  EXPECT_EQ(run([](Runtime& runtime) { runtime.set_exit_code(ExitCode::stopped_early); }), 4);
}

TEST_F(SessionTest, APlanIsSaidWhateverTheDeckSaysOfRuns) {
  LogLevel level{};
  const auto body = [&](Runtime& runtime) { level = runtime.log().level(); };
  EXPECT_EQ(run(body), 0);
  EXPECT_EQ(level, LogLevel::quiet);
  EXPECT_EQ(run(body, {}, {"--dry-run"}), 0);
  EXPECT_EQ(level, LogLevel::normal);
}

TEST_F(SessionTest, AFailureOfAllRanksStopsModulesAndLeavesMpiRunning) {
  bool stopped = false;
  const int code = run([](Runtime&) { throw numerical_failure("NaN", "", Reach::all_ranks); },
                       {{.name = "m", .stop = [&](Runtime&) { stopped = true; }}});
  EXPECT_EQ(code, 2);
  EXPECT_TRUE(stopped);
  EXPECT_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
}

TEST(FailureMessage, SaysWhatAndWhatToDo) {
  EXPECT_EQ(failure_message(input_error("no deck", "Name one.")),
            "cartwright: error: no deck\nName one.\n");
  const auto unexpected = as_error(std::make_exception_ptr(std::runtime_error("odd")));
  EXPECT_EQ(unexpected.code(), ExitCode::internal_failure);
  const auto memory = as_error(std::make_exception_ptr(std::bad_alloc()));
  EXPECT_NE(std::string(memory.what()).find("this rank held"), std::string::npos);
}

int copies = 0;

int count_copy(MPI_Comm, int, void*, void* value, void* copy, int* keeps) {
  ++copies;
  *static_cast<void**>(copy) = value;
  *keeps = 1;
  return MPI_SUCCESS;
}

TEST(Communicator, ADuplicateIsNoBusinessOfTheProgram) {
  MPI_Comm program = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &program);
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  MPI_Comm_set_attr(program, key, nullptr);
  {
    const Communicator ours = Communicator::duplicate(program);
    int compared = MPI_UNEQUAL;
    MPI_Comm_compare(program, ours.handle(), &compared);
    EXPECT_EQ(compared, MPI_CONGRUENT);
    EXPECT_EQ(copies, 0);
    MPI_Comm_free(&program);
    ours.barrier();
  }
  MPI_Comm_free_keyval(&key);
}

}  // namespace
}  // namespace cartwright::rt
