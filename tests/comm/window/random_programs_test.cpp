// SPDX-License-Identifier: Apache-2.0
// Random programs against a sequential model; more of them: CARTWRIGHT_PROGRAMS=1000, from seed
// CARTWRIGHT_SEED on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "program_groups.hpp"

namespace cartwright::comm {
namespace {

using test::ProgramGroups;
using test::Word;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class RandomPrograms : public testing::TestWithParam<test::Way> {
 protected:
  static void TearDownTestSuite() { test::Windows::forget(); }
};

TEST_P(RandomPrograms, LeaveWhatTheModelSays) {
  const CartComm& cart = test::Windows::of(GetParam()).cart();
  const Word programs = from_environment("CARTWRIGHT_PROGRAMS", 48);
  const Word first = from_environment("CARTWRIGHT_SEED", 1);
  std::uint64_t epochs = 0, most_pending = 0;
  for (Word number = first; number < first + programs;) {
    const Word end = std::min(ProgramGroups::end(number), first + programs);
    const auto group = test::run_group(cart, GetParam(), number, end, 0, 60);
    epochs += group.epochs;
    most_pending = std::max(most_pending, group.most_pending);
    EXPECT_EQ(group.wrong, 0) << group.faults;
    if (group.wrong > 0) break;
    number = end;
  }
  if (cart.is_root())
    fmt::print("{} programs, {} epochs of rank 0, at most {} pending at a time\n", programs, epochs,
               most_pending);
}

INSTANTIATE_TEST_SUITE_P(By, RandomPrograms, testing::ValuesIn(test::all_ways),
                         [](const auto& named) { return test::name_of(named.param); });

}  // namespace
}  // namespace cartwright::comm
