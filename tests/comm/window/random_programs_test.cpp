// SPDX-License-Identifier: Apache-2.0
// Random programs against a sequential model; more of them: CARTWRIGHT_PROGRAMS=1000, from seed
// CARTWRIGHT_SEED on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "random_program.hpp"
#include "window_ways.hpp"

namespace cartwright::comm {
namespace {

using test::Made;
using test::Word;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class RandomPrograms : public testing::TestWithParam<test::Way> {
 protected:
  static void TearDownTestSuite() { test::Windows::forget(); }
};

/// As many windows as programs would take longer than the programs.
constexpr std::uint64_t programs_of_window = 8;

TEST_P(RandomPrograms, LeaveWhatTheModelSays) {
  test::Windows& windows = test::Windows::of(GetParam());
  const CartComm& cart = windows.cart();
  const std::uint64_t programs = from_environment("CARTWRIGHT_PROGRAMS", 56);
  const std::uint64_t first = from_environment("CARTWRIGHT_SEED", 1);
  std::optional<Made<Word>> made;
  std::uint64_t epochs = 0, most_pending = 0;
  for (std::uint64_t seed = first; seed < first + programs; ++seed) {
    const bool reorders = (seed / programs_of_window) % 2 == 1;
    if (!made || seed % programs_of_window == 0) {
      made.reset();
      WindowOptions options{.name = "the window of random programs",
                            .time_limit = std::chrono::seconds(60)};
      if (reorders) options.reorder = {true, true, true, true};
      made.emplace(windows.make<Word>(test::Areas{cart.size()}.all(), options));
    }
    std::ranges::fill(made->window.local(), Word{0});
    cart.start_barrier().wait();
    const auto program = test::RandomProgram::make(cart.size(), seed, reorders);
    test::ProgramRun run(cart, made->window, program, seed);
    const std::string faults = run.run();
    epochs += run.epochs();
    most_pending = std::max<std::uint64_t>(most_pending, run.most_pending());
    const bool all_right = cart.allreduce(faults.empty() ? 1 : 0, Operator::minimum) == 1;
    EXPECT_TRUE(all_right) << "seed " << seed << ":\n" << faults;
    if (!all_right) break;
  }
  if (cart.is_root())
    fmt::print("{} programs, {} epochs of rank 0, at most {} pending at a time\n", programs, epochs,
               most_pending);
}

INSTANTIATE_TEST_SUITE_P(By, RandomPrograms,
                         testing::Values(test::Way::memory, test::Way::messages, test::Way::both),
                         [](const auto& named) { return test::name_of(named.param); });

}  // namespace
}  // namespace cartwright::comm
