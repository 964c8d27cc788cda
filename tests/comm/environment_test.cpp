// SPDX-License-Identifier: Apache-2.0
// Programs without a deck: CARTWRIGHT_COMM_… variables win over what they say.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/selection/turns.hpp>
#include <cartwright/rt/error.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace cartwright::comm {
namespace {

using namespace std::chrono_literals;

/// A variable of this process, until it goes out of scope.
class Variable {
 public:
  Variable(const std::string& key, const std::string& value)
      : Variable(value, "CARTWRIGHT_COMM_", key) {}
  [[nodiscard]] static Variable named(const std::string& name, const std::string& value) {
    return {value, "CARTWRIGHT_", name};
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name_.c_str()); }

 private:
  Variable(const std::string& value, const char* section, const std::string& key)
      : name_(section + key) {
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  std::string name_;
};

class Environment : public testing::Test {
 protected:
  Environment() : world_(rt::Communicator::duplicate(MPI_COMM_WORLD)) {
    engine_.set_oversubscribed(true);
  }
  [[nodiscard]] CartComm cart(CartOptions options = {}) {
    options.dims = {world_.size()};
    return {world_, engine_, options};
  }
  void expect_sum(const Collectives& collectives) const {
    EXPECT_EQ(collectives.allreduce(1, Operator::sum), world_.size());
  }
  /// What all ranks are told, and by whom.
  std::string refusal() {
    std::string text;
    const auto note = [&](const rt::Error& error) {
      EXPECT_EQ(error.code(), rt::ExitCode::input_error);
      EXPECT_EQ(error.reach(), rt::Reach::all_ranks);
      text = std::string(error.what()) + " " + error.advice();
    };
    EXPECT_THROW(
        {
          try {
            const Collectives collectives(world_, engine_);
          } catch (const rt::Error& error) {
            note(error);
            throw;
          }
        },
        rt::Error);
    EXPECT_THROW((void)cart(), rt::Error);
    EXPECT_THROW(Collectives(world_, engine_, Context{}), rt::Error);
    return text;
  }

  rt::Communicator world_;
  rt::ProgressEngine engine_;
};

TEST_F(Environment, ChoosesTheBackend) {
  for (const char* name : {"native", "p2p", "shared", "rma", "auto"}) {
    const Variable backend("BACKEND", name);
    const CartComm one = cart({.dims = {}, .settings = {.backend = BackendId::native}});
    const Collectives two(world_, engine_, BackendId::p2p);
    const Collectives three(world_, engine_, Context{.settings = {.backend = BackendId::native}});
    for (const Collectives* c : {&one.all(), &one.along(0), &two, &three}) {
      EXPECT_EQ(c->backend().name(), name);
      expect_sum(*c);
    }
  }
  EXPECT_EQ(cart({.dims = {}, .settings = {.backend = BackendId::native}}).all().backend().name(),
            "native");
  EXPECT_EQ(Collectives(world_, engine_, BackendId::p2p).backend().name(), "p2p");
}

TEST_F(Environment, IsReadOnTheFirstRank) {
  const Variable backend("BACKEND", world_.is_root() ? "p2p" : "nonsense");
  expect_sum(Collectives(world_, engine_, BackendId::native));
}

TEST_F(Environment, ADeckHasHeededItAlready) {
  const Variable backend("BACKEND", "p2p");
  CartOptions options;
  options.settings.backend = BackendId::native;
  options.settings = options.settings.as_resolved();
  EXPECT_EQ(cart(options).all().backend().name(), "native");
}

TEST_F(Environment, ChoosesAlgorithms) {
  const Variable backend("BACKEND", "p2p");
  const Variable algorithm("REDUCE_SCATTER_ALGORITHM", "ring");
  const plan::Problem problem{.operation = plan::Operation::reduce_scatter, .ranks = world_.size()};
  const CartComm one = cart({.dims = {}, .settings = {.broadcast = {"chain(1)"}}});
  const Collectives two(world_, engine_);
  const Collectives three(world_, engine_, Context{});
  for (const Collectives* c : {&one.all(), &two, &three}) {
    EXPECT_EQ(c->backends().selection().decide_for(BackendId::p2p, problem).choice.name(), "ring");
    expect_sum(*c);
  }
  EXPECT_TRUE(one.all().context().knowledge->wanted.contains(plan::Operation::broadcast));
}

TEST_F(Environment, Supervises) {
  for (const char* yes : {"1", "true", "on"}) {
    const Variable checked("CHECKED", yes);
    const Variable limit("TIME_LIMIT", "5min");
    for (const Supervision& supervision :
         {cart().all().context().settings.supervision(),
          Collectives(world_, engine_).context().settings.supervision()}) {
      EXPECT_TRUE(supervision.checked);
      EXPECT_EQ(supervision.time_limit, 300s);
    }
  }
  const Variable checked("CHECKED", "0");
  EXPECT_FALSE(cart({.dims = {}, .settings = {.checked = true}}).all().context().settings.checked);
}

TEST_F(Environment, SetsTheOtherKeysToo) {
  const Variable axes("AXES", "sequential");
  const Variable memory("SHARED_MEMORY", "2");
  const Settings settings = resolved(world_, {});
  EXPECT_EQ(settings.axes, AxisOrder::sequential);
  EXPECT_EQ(settings.memory_options({1}, {}).bytes, std::size_t{2} << 20U);
  EXPECT_TRUE(settings.is_resolved);
  EXPECT_EQ(resolved(world_, Settings().as_resolved()).axes, AxisOrder::automatic);
}

TEST_F(Environment, SaysWhatIsAllowed) {
  struct Case {
    const char* key;
    const char* value;
    const char* told;
  };
  for (const Case& wrong :
       {Case{"BACKEND", "fast", "native (the MPI library's own collectives), p2p"},
        Case{"CHECKED", "maybe",
             "environment CARTWRIGHT_COMM_CHECKED: 'comm.checked' is 'maybe', but must be true or "
             "false"},
        Case{"TIME_LIMIT", "soon", "must be a duration"},
        Case{"TIME_LIMIT", "-1", "but must be greater than 0"},
        Case{"ALLREDUCE_ALGORITHM", "rings", "comm.allreduce.algorithm"},
        Case{"BAKEND", "p2p", "did you mean CARTWRIGHT_COMM_BACKEND"}}) {
    const Variable variable(wrong.key, wrong.value);
    const std::string told = refusal();
    EXPECT_NE(told.find(wrong.told), std::string::npos) << told;
  }
}

/// A directory of its own, alike on all ranks, while it lives.
class Directory {
 public:
  explicit Directory(const rt::Communicator& world) : world_(&world) {
    std::array<char, 64> name{"/tmp/cartwright-environment-XXXXXX"};
    if (world.is_root()) {
      EXPECT_NE(::mkdtemp(name.data()), nullptr);
    }
    MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, world.handle());
    path_ = name.data();
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() {
    world_->barrier();
    if (world_->is_root()) std::filesystem::remove_all(path_);
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
    const std::string path = path_ + "/" + name;
    if (world_->is_root()) std::ofstream(path) << text;
    world_->barrier();
    return path;
  }

 private:
  const rt::Communicator* world_;
  std::string path_;
};

TEST_F(Environment, KeepsWhatARunHasLearned) {
  const Directory directory(world_);
  const Variable machines = Variable::named("MACHINES", directory.path());
  const Variable learn("LEARN", "1");
  constexpr int enough = 8 * Turns::of_each + Turns::background;
  std::string decided;
  for (const bool again : {false, true}) {
    const Collectives c(world_, engine_);
    for (int call = 0; call < enough; ++call) c.barrier();
    const std::string why = c.backends().decisions().front().explanation;
    if (world_.size() > 1) {
      EXPECT_NE(why.find("learned"), std::string::npos) << why;
    }
    if (again) {
      EXPECT_EQ(why, decided);
    }
    decided = why;
  }
  const Variable off("LEARN", "0");
  const Collectives c(world_, engine_);
  c.barrier();
  EXPECT_EQ(c.backends().decisions().front().explanation.find("learned"), std::string::npos);
}

TEST_F(Environment, ReplacesTheDefaultTuning) {
  const Directory directory(world_);
  const Variable machines = Variable::named("MACHINES", directory.path());
  std::string text(DefaultTuning::text_of_library());
  const std::string rule = R"({"operation": "scan", "algorithms": ["recursive_doubling"]})";
  text.replace(text.find(rule), rule.size(), R"({"operation": "scan", "algorithms": ["linear"]})");
  {
    const Variable own = Variable::named("TUNING", directory.file("own.json", text));
    const Collectives c(world_, engine_);
    const plan::Problem problem{.operation = plan::Operation::scan, .ranks = world_.size()};
    const Decision decision = c.backends().selection().decide_for(BackendId::shared, problem);
    if (c.backends().scheduled().size() == 2) {
      EXPECT_EQ(decision.choice.name(), "linear");
    }
    expect_sum(c);
  }
  for (const std::string& bad : {directory.path() + "/none.json", directory.file("bad.json", "{"),
                                 directory.file("empty.json", "")}) {
    const Variable own = Variable::named("TUNING", bad);
    try {
      const Collectives c(world_, engine_);
      ADD_FAILURE() << bad;
    } catch (const rt::Error& error) {
      EXPECT_EQ(error.code(), rt::ExitCode::input_error);
      EXPECT_EQ(error.reach(), rt::Reach::all_ranks);
      EXPECT_NE(std::string(error.what()).find("CARTWRIGHT_TUNING"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace cartwright::comm
