// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/request.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>

namespace cartwright::rt {
namespace {

class Countdown : public Operation {
 public:
  explicit Countdown(int polls) : polls_(polls) {}
  bool advance() override {
    if (then) then();
    return --polls_ <= 0;
  }
  [[nodiscard]] int left() const { return polls_; }
  std::function<void()> then;

 private:
  int polls_;
};

TEST(ProgressEngine, OnePollAdvancesEverythingOnce) {
  ProgressEngine engine;
  Countdown a(1), b(3);
  engine.add(a);
  engine.add(b);
  engine.poll();
  EXPECT_FALSE(engine.is_active(a));
  EXPECT_TRUE(engine.is_active(b));
  EXPECT_EQ(b.left(), 2);
  engine.wait(b);
  EXPECT_FALSE(engine.is_active(b));
}

TEST(ProgressEngine, WaitingForOneAdvancesAll) {
  ProgressEngine engine;
  Countdown waited(5), other(100);
  Request request(engine, waited);
  Request background(engine, other);
  request.wait();
  EXPECT_EQ(other.left(), 95);
  EXPECT_TRUE(request.test());
  EXPECT_FALSE(background.test());
  background.wait();
}

/// Nothing for a while, then a piece with each look. Counts the naps between the pieces, beside
/// those of a thread that gives way: a yield of more than 2 ms tells it that somebody computes on
/// its core, and for up to 512 pauses it naps then. Naps are voluntary switches, yields aren't: so
/// no time is measured, and what else runs on the machine doesn't matter.
class LateAndInPieces final : public Operation {
 public:
  LateAndInPieces(std::chrono::milliseconds late, int pieces)
      : begin_(std::chrono::steady_clock::now() + late), pieces_(pieces) {}
  bool advance() override {
    note_pause();
    if (std::chrono::steady_clock::now() < begin_) return false;
    return ++moves_ >= static_cast<std::uint64_t>(pieces_);
  }
  [[nodiscard]] std::uint64_t moves() const noexcept override { return moves_; }
  [[nodiscard]] int naps_between_pieces() const { return naps_between_pieces_; }

 private:
  void note_pause() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    const auto time = std::chrono::steady_clock::now();
    if (std::exchange(switches_, usage.ru_nvcsw) != usage.ru_nvcsw) {
      if (of_manners_ > 0)
        --of_manners_;
      else if (moves_ > 0)
        ++naps_between_pieces_;
    } else if (time - looked_ > std::chrono::milliseconds(2)) {
      of_manners_ = 512;
    }
    looked_ = std::chrono::steady_clock::now();
  }

  std::chrono::steady_clock::time_point begin_, looked_ = std::chrono::steady_clock::now();
  int pieces_;
  std::uint64_t moves_ = 0;
  long switches_ = 0;
  int of_manners_ = 0, naps_between_pieces_ = 0;
};

// Else each of the pieces would be a nap late.
TEST(ProgressEngine, WhoHasWaitedLongHasPatienceAgainForWhatComesInPieces) {
  for (const bool oversubscribed : {true, false}) {
    ProgressEngine engine;
    engine.set_oversubscribed(oversubscribed);
    LateAndInPieces late(std::chrono::milliseconds(300), 4000);
    Request request(engine, late);
    request.wait();
    EXPECT_LT(late.naps_between_pieces(), 8) << "oversubscribed: " << oversubscribed;
  }
}

TEST(ProgressEngine, AnOperationMayAddOthersAndPoll) {
  ProgressEngine engine;
  Countdown inner(2), outer(1);
  outer.then = [&] {
    engine.add(inner);
    engine.poll();  // no recursion
  };
  engine.add(outer);
  engine.poll();
  EXPECT_FALSE(engine.is_active(outer));
  EXPECT_EQ(inner.left(), 2) << "first advanced in the next poll";
  engine.wait(inner);
}

TEST(ProgressEngine, AnOperationMayBeWithdrawnWhileAnotherAdvances) {
  ProgressEngine engine;
  Countdown victim(100), killer(2);
  killer.then = [&] { engine.remove(victim); };
  engine.add(killer);
  engine.add(victim);
  engine.wait(killer);
  EXPECT_FALSE(engine.is_active(victim));
  EXPECT_EQ(victim.left(), 100);
}

TEST(ProgressEngine, WaitingInsideOfAdvanceIsRefused) {
  ProgressEngine engine;
  Countdown never(1'000'000), culprit(1);
  culprit.then = [&] { engine.wait(never); };
  engine.add(never);
  engine.add(culprit);
  EXPECT_THROW(engine.poll(), Error);
  engine.remove(culprit);
  EXPECT_NO_THROW(engine.poll()) << "the engine works on after an exception";
  engine.remove(never);
}

TEST(Request, WaitsAtTheEndOfItsScope) {
  ProgressEngine engine;
  Countdown operation(10);
  { const Request request(engine, operation); }
  EXPECT_EQ(operation.left(), 0);
}

TEST(Request, IsWithdrawnWhileAnExceptionUnwinds) {
  ProgressEngine engine;
  Countdown operation(1'000'000'000);
  try {
    const Request request(engine, operation);
    throw std::runtime_error("elsewhere");
  } catch (const std::runtime_error&) {
  }
  EXPECT_FALSE(engine.is_active(operation));
}

TEST(Request, AssignmentWaitsForTheFormerOperation) {
  ProgressEngine engine;
  Countdown first(3), second(3);
  Request request(engine, first);
  request = Request(engine, second);
  EXPECT_FALSE(engine.is_active(first));
  request.wait();
  EXPECT_FALSE(engine.is_active(second));
}

TEST(Patience, SleepsInTheEndButNeverBlocks) {
  Patience oversubscribed(false);
  for (int i = 0; i < 200; ++i) oversubscribed.pause();
  Patience alone(true);
  for (int i = 0; i < 3000; ++i) alone.pause();
}

}  // namespace
}  // namespace cartwright::rt
