// SPDX-License-Identifier: Apache-2.0
// Schedules over MPI's messages: every algorithm of the catalogue, in place and not, many in flight
// at once, against values computed here.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/execution/p2p_messages.hpp>
#include <cartwright/comm/execution/runner.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "expected_collective.hpp"

namespace cartwright::comm {
namespace {

using plan::Operation;
using plan::Place;
using test::Case;
using test::Numbers;

plan::Machine one_node() {
  plan::Machine machine{.name = "node", .about = "", .source = "", .levels = {}};
  machine.levels.push_back({.name = "core",
                            .units = 0,
                            .network = plan::log_gp(0.3e-6, 0.2e-6, 0.2e-6, 0.1e-6, 0.05e-9),
                            .leaving = {}});
  machine.reduce_byte_time = machine.copy_byte_time = 0.05e-9;
  return machine;
}

const Reduction sum{.function = [](const std::byte* left, const std::byte* right, std::byte* target,
                                   std::size_t count, const void*) {
  const auto* const a = reinterpret_cast<const std::int64_t*>(left);
  const auto* const b = reinterpret_cast<const std::int64_t*>(right);
  auto* const c = reinterpret_cast<std::int64_t*>(target);
  for (std::size_t i = 0; i < count; ++i) c[i] = a[i] + b[i];
}};

/// A collective on memory of its own.
class Running {
 public:
  Running(P2pChannel& channel, const Case& call, const plan::Maker& maker,
          const P2pOptions& options = {}, const std::vector<bool>& served = {})
      : call_(call), data_(call) {
    const plan::Schedule schedule = maker({call.ranks, call.me, call.place});
    const plan::Layout layout = plan::layout_of(call.problem(), schedule.blocks());
    program_.bind(schedule, layout, sizeof(std::int64_t));
    scratch_.resize(
        plan::scratch_bytes(schedule, layout, sizeof(std::int64_t)) / sizeof(std::int64_t) + 1);
    P2pMessages::Serves serves;
    if (!served.empty()) serves = [&](int peer) { return served[static_cast<std::size_t>(peer)]; };
    runner_.emplace(program_, sizeof(std::int64_t),
                    P2pMessages(channel, program_, sizeof(std::int64_t), serves, options));
  }
  void start(std::uint64_t sequence) {
    data_.refill(call_);
    runner_->start(sequence,
                   {data_.input(), data_.output(), reinterpret_cast<std::byte*>(scratch_.data())});
  }
  [[nodiscard]] bool advance() { return runner_->advance(sum); }
  [[nodiscard]] std::string fault() const { return data_.fault(call_); }

 private:
  Case call_;
  test::Data data_;
  plan::Program program_;
  Numbers scratch_;
  std::optional<Runner<P2pMessages>> runner_;
};

class P2pMessagesTest : public ::testing::Test {
 protected:
  P2pMessagesTest() : comm_(rt::Communicator::duplicate(MPI_COMM_WORLD)), channel_(comm_) {}

  [[nodiscard]] Case call(Operation operation, plan::Count count, int root, Place place) const {
    return {operation, comm_.size(), comm_.rank().value, count, root, place};
  }
  static void finish(Running& running) {
    while (!running.advance()) std::this_thread::yield();
  }

  rt::Communicator comm_;
  P2pChannel channel_;
  std::uint64_t sequence_ = 0;
};

TEST_F(P2pMessagesTest, CarryEveryAlgorithm) {
  for (const Operation operation : plan::operations()) {
    for (const plan::Count count : {0, 1, 37, 3000}) {
      const int root = plan::is_rooted(operation) ? comm_.size() - 1 : 0;
      const Case separate = call(operation, count, root, Place::separate);
      for (const plan::Choice& choice : plan::choices(separate.problem(), one_node())) {
        for (const bool in_place : {false, true}) {
          const Case asked =
              call(operation, count, root, test::place_of(operation, in_place, separate.me, root));
          Running running(channel_, asked, choice.maker(asked.problem()));
          for (int again = 0; again < 2; ++again) {
            running.start(sequence_++);
            finish(running);
            ASSERT_EQ(running.fault(), "")
                << plan::name_of(operation) << " by " << choice.name() << " of " << count
                << (in_place ? " in place" : "") << ", run " << again;
          }
        }
      }
    }
  }
}

TEST_F(P2pMessagesTest, MayBeFewLateAndLong) {
  // One open receive, one place to land, messages of a larger type, few tags.
  P2pChannel narrow(comm_, 8);
  const P2pOptions options{.open_receives = 1, .landing_bytes = 0, .largest_count = 100};
  std::uint64_t sequence = 0;
  for (const Operation operation : plan::operations()) {
    const Case asked = call(operation, 500, 0, Place::separate);
    for (const plan::Choice& choice : plan::choices(asked.problem(), one_node())) {
      Running running(narrow, asked, choice.maker(asked.problem()), options);
      running.start(sequence++);
      finish(running);
      ASSERT_EQ(running.fault(), "") << plan::name_of(operation) << " by " << choice.name();
    }
  }
}

TEST_F(P2pMessagesTest, ManyAreInFlightInAnyOrder) {
  std::mt19937 random(11);  // alike on all ranks
  std::vector<std::unique_ptr<Running>> all;
  const auto operations = plan::operations();
  for (int i = 0; i < 60; ++i) {
    const Operation operation = operations[random() % operations.size()];
    const auto ranks = static_cast<unsigned>(comm_.size());
    const int root = plan::is_rooted(operation) ? static_cast<int>(random() % ranks) : 0;
    const Case asked = call(operation, random() % 2000, root, Place::separate);
    const auto choices = plan::choices(asked.problem(), one_node());
    const plan::Choice& choice = choices[random() % choices.size()];
    all.push_back(std::make_unique<Running>(channel_, asked, choice.maker(asked.problem())));
    all.back()->start(sequence_++);
  }
  std::mt19937 own(static_cast<unsigned>(comm_.rank().value));  // not alike
  std::vector<Running*> left;
  for (const auto& running : all) left.push_back(running.get());
  while (!left.empty()) {
    std::this_thread::yield();
    const std::size_t next = own() % left.size();
    if (left[next]->advance()) left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
  }
  for (const auto& running : all) EXPECT_EQ(running->fault(), "");
}

TEST_F(P2pMessagesTest, TagsAreReusedOnlyWhenTheyAreFree) {
  P2pChannel narrow(comm_, 8);  // four stretches of two
  const Case asked = call(Operation::allreduce, 3, 0, Place::separate);
  const plan::Choice choice = plan::choices(asked.problem(), one_node()).front();
  std::vector<std::unique_ptr<Running>> all;
  for (std::uint64_t i = 0; i < 24; ++i) {
    all.push_back(std::make_unique<Running>(narrow, asked, choice.maker(asked.problem())));
    all.back()->start(i);
  }
  bool done = false;
  for (std::vector<bool> ended(all.size()); !done;) {
    done = true;
    std::this_thread::yield();
    for (std::size_t i = all.size(); i-- > 0;) {
      if (!ended[i]) ended[i] = all[i]->advance();
      done = done && ended[i];
    }
  }
  for (const auto& running : all) EXPECT_EQ(running->fault(), "");
}

/// Hands each message to one of two carriers, by the distance of its ends.
class Both {
 public:
  Both(int me, P2pMessages even, P2pMessages odd)
      : me_(me), even_(std::move(even)), odd_(std::move(odd)) {}
  bool begin(std::uint64_t sequence, const plan::Buffers& buffers) {
    begun_ = begun_ || even_.begin(sequence, buffers);
    if (!begun_ || !odd_.begin(sequence, buffers)) return false;
    begun_ = false;
    return true;
  }
  void reached(std::size_t index) {
    even_.reached(index);
    odd_.reached(index);
  }
  void send(const plan::BoundStep& step) { of(step).send(step); }
  bool receive(const plan::BoundStep& step) { return of(step).receive(step); }
  bool receive_combine(const plan::BoundStep& step, const Reduction& reduction) {
    return of(step).receive_combine(step, reduction);
  }
  bool sends_are_complete(std::int32_t sends) {
    return even_.sends_are_complete(sends) && odd_.sends_are_complete(sends);
  }
  void progress() {}
  [[nodiscard]] std::uint64_t moves() const { return even_.moves() + odd_.moves(); }

 private:
  P2pMessages& of(const plan::BoundStep& step) { return (step.peer + me_) % 2 == 0 ? even_ : odd_; }
  int me_;
  P2pMessages even_, odd_;
  bool begun_ = false;
};

TEST_F(P2pMessagesTest, MayServeSomePeersOnly) {
  P2pChannel other(comm_);
  for (const Operation operation : plan::operations()) {
    const Case asked = call(operation, 700, 0, Place::separate);
    for (const plan::Choice& choice : plan::choices(asked.problem(), one_node())) {
      const plan::Schedule schedule =
          choice.maker(asked.problem())({asked.ranks, asked.me, asked.place});
      const plan::Layout layout = plan::layout_of(asked.problem(), schedule.blocks());
      const plan::Program program(schedule, layout, 8);
      Numbers scratch(plan::scratch_bytes(schedule, layout, 8) / 8 + 1);
      test::Data data(asked);
      Runner<Both> runner(program, 8,
                          Both(asked.me,
                               P2pMessages(channel_, program, 8,
                                           [&](int peer) { return (peer + asked.me) % 2 == 0; }),
                               P2pMessages(other, program, 8,
                                           [&](int peer) { return (peer + asked.me) % 2 == 1; })));
      runner.start(sequence_++,
                   {data.input(), data.output(), reinterpret_cast<std::byte*>(scratch.data())});
      while (!runner.advance(sum)) std::this_thread::yield();
      ASSERT_EQ(data.fault(asked), "") << plan::name_of(operation) << " by " << choice.name();
    }
  }
}

TEST_F(P2pMessagesTest, AnUnfinishedRunIsGivenUpWhenAnExceptionUnwinds) {
  if (comm_.size() == 1) return;
  P2pChannel own(comm_);
  const Case asked = call(Operation::allreduce, 4000, 0, Place::separate);
  const plan::Choice choice = plan::parse_choice(Operation::allreduce, "ring");
  const auto fail = [&] {
    Running running(own, asked, choice.maker(asked.problem()));
    running.start(0);
    if (comm_.is_root()) throw std::runtime_error("fault");
    for (int i = 0; i < 10; ++i) (void)running.advance();
    throw std::runtime_error("fault");
  };
  EXPECT_THROW(fail(), std::runtime_error);
  comm_.barrier();
}

}  // namespace
}  // namespace cartwright::comm
