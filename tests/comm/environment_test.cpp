// SPDX-License-Identifier: Apache-2.0
// Programs without a deck: CARTWRIGHT_COMM_… variables win over what they say.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/options.hpp>
#include <cartwright/rt/error.hpp>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

namespace cartwright::comm {
namespace {

using namespace std::chrono_literals;

/// A variable of this process, until it goes out of scope.
class Variable {
 public:
  Variable(const std::string& key, const char* value) : name_("CARTWRIGHT_COMM_" + key) {
    ::setenv(name_.c_str(), value, 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name_.c_str()); }

 private:
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
    EXPECT_THROW(Collectives(world_, engine_, CollectivesOptions{}), rt::Error);
    return text;
  }

  rt::Communicator world_;
  rt::ProgressEngine engine_;
};

TEST_F(Environment, ChoosesTheBackend) {
  for (const char* name : {"native", "p2p", "shared", "auto"}) {
    const Variable backend("BACKEND", name);
    const CartComm one = cart({.dims = {}, .backend = "native"});
    const Collectives two(world_, engine_, "p2p");
    const Collectives three(world_, engine_, CollectivesOptions{.backend = "native"});
    for (const Collectives* c : {&one.all(), &one.along(0), &two, &three}) {
      EXPECT_EQ(c->backend().name(), name);
      expect_sum(*c);
    }
  }
  EXPECT_EQ(cart({.dims = {}, .backend = "native"}).all().backend().name(), "native");
  EXPECT_EQ(Collectives(world_, engine_, "p2p").backend().name(), "p2p");
}

TEST_F(Environment, IsReadOnTheFirstRank) {
  const Variable backend("BACKEND", world_.is_root() ? "p2p" : "nonsense");
  expect_sum(Collectives(world_, engine_, "native"));
}

TEST_F(Environment, ADeckHasHeededItAlready) {
  const Variable backend("BACKEND", "p2p");
  Options of_deck;
  of_deck.backend = "native";
  const CartOptions options = cart_options(of_deck);
  EXPECT_EQ(cart(options).all().backend().name(), "native");
}

TEST_F(Environment, ChoosesAlgorithms) {
  const Variable backend("BACKEND", "p2p");
  const Variable algorithm("REDUCE_SCATTER_ALGORITHM", "ring");
  const plan::Problem problem{.operation = plan::Operation::reduce_scatter, .ranks = world_.size()};
  const CartComm one = cart({.dims = {}, .algorithms = {{plan::Operation::broadcast, "chain(1)"}}});
  const Collectives two(world_, engine_);
  const Collectives three(world_, engine_, CollectivesOptions{});
  for (const Collectives* c : {&one.all(), &two, &three}) {
    EXPECT_EQ(c->backends().selection().algorithm_for("p2p", problem).name(), "ring");
    expect_sum(*c);
  }
  EXPECT_TRUE(one.all().options().knowledge->wanted.contains(plan::Operation::broadcast));
}

TEST_F(Environment, Supervises) {
  for (const char* yes : {"1", "true", "on"}) {
    const Variable checked("CHECKED", yes);
    const Variable limit("TIME_LIMIT", "5min");
    for (const Supervision& supervision :
         {cart().all().options().supervision, Collectives(world_, engine_).options().supervision}) {
      EXPECT_TRUE(supervision.checked);
      EXPECT_EQ(supervision.time_limit, 300s);
    }
  }
  const Variable checked("CHECKED", "0");
  EXPECT_FALSE(
      cart({.dims = {}, .supervision = {.checked = true}}).all().options().supervision.checked);
}

TEST_F(Environment, SetsTheOtherKeysToo) {
  EXPECT_EQ(with_environment(world_, {.dims = {}, .shared_memory = 12345}).shared_memory, 12345);
  const Variable axes("AXES", "sequential");
  const Variable memory("SHARED_MEMORY", "2");
  const CartOptions options = with_environment(world_, {.dims = {}});
  EXPECT_EQ(options.axes, AxisOrder::sequential);
  EXPECT_EQ(options.shared_memory, 2U << 20U);
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

}  // namespace
}  // namespace cartwright::comm
