// SPDX-License-Identifier: Apache-2.0
// What a thread says of its waits, and what that costs.
#include <gtest/gtest.h>

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/request.hpp>
#include <cartwright/rt/ticks.hpp>
#include <cartwright/rt/wait.hpp>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

namespace cartwright::rt {
namespace {

class WaitTest : public testing::Test {
 public:
  WaitTest() { WaitRecord::publish_to(&record_); }
  ~WaitTest() override { WaitRecord::publish_to(nullptr); }
  [[nodiscard]] std::string text() const { return describe(record_.look().site); }

  WaitRecord record_;
};

int succeed(int /*argument*/) {
  return 0;
}

TEST_F(WaitTest, IsSeenWhileItLasts) {
  EXPECT_EQ(record_.look().kind, WaitKind::none);
  {
    const WaitScope scope({"MPI_Bcast", "/some/where/root.cpp", 57});
    EXPECT_EQ(record_.look().kind, WaitKind::ranks);
    EXPECT_EQ(text(), "MPI_Bcast (root.cpp:57)");
  }
  EXPECT_EQ(record_.look().kind, WaitKind::none);
}

TEST_F(WaitTest, EveryBeginAndEndIsANewSequence) {
  const auto first = record_.look().sequence;
  for (int i = 0; i < 2; ++i) {
    WaitScope scope({"halos"});
    const auto during = record_.look().sequence;
    EXPECT_EQ(record_.look().sequence, during) << "nothing happened";
    scope.progress();
    EXPECT_NE(record_.look().sequence, during);
  }
  EXPECT_GT(record_.look().sequence, first + 3);
}

TEST_F(WaitTest, AreCountedWhereSomebodyAsks) {
  const auto stand_still = [](WaitKind kind) {
    const WaitScope outer({"outer"}, kind);
    const WaitScope inner({"inner"});
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  stand_still(WaitKind::ranks);
  EXPECT_EQ(record_.waited(), Ticks::duration{}) << "nobody asked";
  record_.count_waits();
  const Ticks begin = now();
  stand_still(WaitKind::ranks);
  stand_still(WaitKind::files);
  EXPECT_GE(record_.waited(), std::chrono::milliseconds(10));
  EXPECT_LE(record_.waited(), now() - begin) << "an inner wait counts once";
}

TEST(OrderlyExit, LeavesScopesAsEver) {
  struct Scope {
    explicit Scope(bool& seen) : seen_(seen) {}
    ~Scope() { seen_ = unwinding(); }
    bool& seen_;
  };
  bool seen = true;
  try {
    const Scope scope(seen);
    throw OrderlyExit();
  } catch (const OrderlyExit&) {
    EXPECT_FALSE(seen);
  }
  try {
    const Scope scope(seen);
    throw internal_failure("");
  } catch (const Error&) {
    EXPECT_TRUE(seen);
  }
  EXPECT_EQ(OrderlyExit::under_way(), 0);
}

TEST_F(WaitTest, AnInnerWaitKeepsTheOutersName) {
  const WaitScope outer({"allreduce", "heat.cpp", 7});
  const auto before = record_.look().sequence;
  {
    const WaitScope inner({"MPI_Waitall"});
    EXPECT_EQ(text(), "allreduce (heat.cpp:7)");
    EXPECT_NE(record_.look().sequence, before);
  }
  EXPECT_EQ(text(), "allreduce (heat.cpp:7)");
  EXPECT_EQ(record_.look().kind, WaitKind::ranks);
}

TEST_F(WaitTest, FilesAndRanksInTurn) {
  const WaitScope file({"H5Fcreate"}, WaitKind::files);
  EXPECT_EQ(record_.look().kind, WaitKind::files);
  {
    const WaitScope agreement({"MPI_Bcast"});
    EXPECT_EQ(record_.look().kind, WaitKind::ranks);
  }
  EXPECT_EQ(record_.look().kind, WaitKind::files);
  EXPECT_EQ(text(), "H5Fcreate");
}

TEST_F(WaitTest, OtherThreadsSayNothing) {
  std::thread([this] {
    const WaitScope scope({"a thread of somebody else"});
    EXPECT_EQ(record_.look().kind, WaitKind::none);
  }).join();
}

TEST_F(WaitTest, BlockingCallsSayWhereTheyStand) {
  const auto before = record_.look().sequence;
  mpi_blocking("MPI_Test", succeed, 1);
  EXPECT_EQ(record_.look().sequence, before + 2);
  EXPECT_EQ(record_.look().kind, WaitKind::none);
}

TEST_F(WaitTest, OperationsGiveTheirNames) {
  class Halos final : public Operation {
   public:
    explicit Halos(const WaitTest& test) : test_(test) {}
    bool advance() override {
      EXPECT_EQ(test_.text(), "the exchange of ghosts");
      return ++polls_ == 3;
    }
    [[nodiscard]] WaitSite wait_site() const noexcept override {
      return {"the exchange of ghosts"};
    }

   private:
    const WaitTest& test_;
    int polls_ = 0;
  } halos(*this);
  ProgressEngine engine;
  Request(engine, halos).wait();
  EXPECT_EQ(record_.look().kind, WaitKind::none);
}

/// Not judged here: other programs may share the core.
TEST_F(WaitTest, PrintsItsCost) {
  constexpr int times = 2'000'000;
  const Ticks begin = now();
  for (int i = 0; i < times; ++i) const WaitScope scope({"MPI_Bcast", __FILE__, __LINE__});
  const double each = seconds_between(begin, now()) / times;
  std::printf("publishing a wait, begin and end: %.2f ns\n", each * 1e9);
}

}  // namespace
}  // namespace cartwright::rt
