// SPDX-License-Identifier: Apache-2.0
// What each of the four flags of reordering is for: the second of two epochs doesn't see the delay
// of the first.
#include <gtest/gtest.h>

#include <array>
#include <cartwright/comm/window.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <chrono>

#include "window_ways.hpp"

namespace cartwright::comm {
namespace {

using test::Way;
using test::Windows;

enum class Role { access, exposure };

/// Two epochs of rank 0, and the flag that lets the second one go ahead.
struct Pair {
  const char* flag;
  Role first, second;
  Reorder reorder;
};

constexpr std::array<Pair, 4> pairs{{
    {"access_after_access", Role::access, Role::access, {.access_after_access = true}},
    {"access_after_exposure", Role::exposure, Role::access, {.access_after_exposure = true}},
    {"exposure_after_exposure", Role::exposure, Role::exposure, {.exposure_after_exposure = true}},
    {"exposure_after_access", Role::access, Role::exposure, {.exposure_after_access = true}},
}};

class Flags : public testing::TestWithParam<Way> {
 protected:
  Flags() : windows_(Windows::of(GetParam())), world_(cart().communicator().duplicate()) {}
  static void TearDownTestSuite() { Windows::forget(); }
  [[nodiscard]] const CartComm& cart() const { return windows_.cart(); }
  [[nodiscard]] int me() const { return cart().rank().value; }

  Windows& windows_;

  /// Closed, not waited for. An access reads: what is put may leave before its target is ready.
  EpochRequest begin(Window<int>& window, Role role, int other, int& result) {
    if (role == Role::exposure) return window.post({rt::Rank{other}}).wait();
    auto epoch = window.start({rt::Rank{other}});
    epoch.get(rt::Rank{other}, 0, std::span(&result, 1));
    return epoch.complete();
  }
  /// What the other rank does.
  void join(Window<int>& window, Role role) {
    int result = 0;
    begin(window, role == Role::access ? Role::exposure : Role::access, 0, result).wait();
    if (role == Role::exposure) {
      EXPECT_EQ(result, 40);
    }
  }
  void run(Window<int>& window, std::span<int> local, const Pair& pair, bool goes_ahead) {
    local[0] = 40 + me();
    cart().start_barrier().wait();
    int word = 1;
    if (me() == 0) {
      int from_first = 0, from_second = 0;
      EpochRequest first = begin(window, pair.first, 1, from_first);
      EpochRequest second = begin(window, pair.second, 2, from_second);
      if (goes_ahead)
        second.wait();
      else
        poll_for(std::chrono::milliseconds(30));
      EXPECT_EQ(second.is_complete(), goes_ahead) << pair.flag;
      EXPECT_FALSE(first.is_complete()) << pair.flag;
      complete(rt::isend(world_, std::span(&word, 1), rt::Rank{1}, tag));
      first.wait();
      second.wait();
      EXPECT_EQ(from_first, pair.first == Role::access ? 41 : 0);
      EXPECT_EQ(from_second, pair.second == Role::access ? 42 : 0);
    } else if (me() == 1) {  // late, until rank 0 says so
      complete(rt::ireceive(world_, std::span(&word, 1), rt::Rank{0}, tag));
      join(window, pair.first);
    } else if (me() == 2) {
      join(window, pair.second);
    }
    cart().start_barrier().wait();
  }

 private:
  static constexpr rt::Tag tag{31};

  void complete(rt::Message message) const {
    while (!message.test()) cart().engine().poll();
  }
  void poll_for(std::chrono::milliseconds time) const {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) cart().engine().poll();
  }

  rt::Communicator world_;
};

TEST_P(Flags, LetTheSecondEpochGoAhead) {
  if (cart().size() < 3) GTEST_SKIP() << "it takes three";
  for (const Pair& pair : pairs) {
    auto made = windows_.make<int>(1, {.name = pair.flag, .reorder = pair.reorder});
    run(made.window, made.local(), pair, true);
  }
}

// By none of the others, either.
TEST_P(Flags, AreNeededForThat) {
  if (cart().size() < 3) GTEST_SKIP() << "it takes three";
  for (const Pair& pair : pairs) {
    Reorder others{true, true, true, true};
    if (pair.reorder.access_after_access) others.access_after_access = false;
    if (pair.reorder.access_after_exposure) others.access_after_exposure = false;
    if (pair.reorder.exposure_after_exposure) others.exposure_after_exposure = false;
    if (pair.reorder.exposure_after_access) others.exposure_after_access = false;
    auto made = windows_.make<int>(1, {.name = pair.flag, .reorder = others});
    run(made.window, made.local(), pair, false);
  }
}

INSTANTIATE_TEST_SUITE_P(By, Flags, testing::ValuesIn(test::all_ways),
                         [](const auto& named) { return test::name_of(named.param); });

}  // namespace
}  // namespace cartwright::comm
