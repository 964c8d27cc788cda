// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cartwright/rt/agreement.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace cartwright::rt {
namespace {

class AgreementTest : public testing::Test {
 protected:
  [[nodiscard]] int me() const { return comm_.rank().value; }
  Communicator comm_ = Communicator::duplicate(MPI_COMM_WORLD);
};

/// Numbers of any type, at the ends of what it can hold.
template <class T>
void expect_ends(const Communicator& comm) {
  using Limits = std::numeric_limits<T>;
  const bool last = comm.rank().value == comm.size() - 1;
  const bool alone = comm.size() == 1;
  std::array<T, 2> numbers{last ? Limits::max() : T{1}, last ? Limits::lowest() : T{1}};
  auto largest = numbers, smallest = numbers;
  combine(comm, largest, Combine::largest);
  combine(comm, smallest, Combine::smallest);
  const T least_of_first = alone ? Limits::max() : T{1};
  const T most_of_second = alone ? Limits::lowest() : T{1};
  EXPECT_EQ(largest, (std::array<T, 2>{Limits::max(), most_of_second}));
  EXPECT_EQ(smallest, (std::array<T, 2>{least_of_first, Limits::lowest()}));
}

TEST_F(AgreementTest, CombinesNumbersOfAllTypes) {
  expect_ends<std::int8_t>(comm_);
  expect_ends<std::uint8_t>(comm_);
  expect_ends<int>(comm_);
  expect_ends<unsigned>(comm_);
  expect_ends<std::int64_t>(comm_);
  expect_ends<long long>(comm_);
  expect_ends<unsigned long long>(comm_);
  expect_ends<double>(comm_);
}

TEST_F(AgreementTest, CombinesOneNumberAndBits) {
  const int ranks = comm_.size();
  EXPECT_EQ(combined(comm_, me() + 1, Combine::sum), ranks * (ranks + 1) / 2);
  EXPECT_EQ(combined(comm_, 0.5 * me(), Combine::largest), 0.5 * (ranks - 1));
  const std::uint8_t mine = me() == 0 ? 5 : 12;
  EXPECT_EQ(combined(comm_, mine, Combine::common_bits), ranks == 1 ? 5 : 4);
  EXPECT_TRUE(on_all_ranks(comm_, true));
  EXPECT_EQ(on_all_ranks(comm_, me() != 0), false);
  EXPECT_EQ(on_all_ranks(comm_, me() == 0), ranks == 1);
}

TEST_F(AgreementTest, GivesAllRanksWhatTheFirstHas) {
  struct Pair {
    int first;
    double second;
  };
  const Pair pair = shared(comm_, Pair{me() + 3, -1.0 * me()});
  EXPECT_EQ(pair.first, 3);
  EXPECT_EQ(pair.second, 0.0);
  std::string text = me() == 0 ? "of the first" : "longer, but not of the first";
  share(comm_, text);
  EXPECT_EQ(text, "of the first");
  std::vector<double> none(static_cast<std::size_t>(me()), 1.0);
  share(comm_, none);
  EXPECT_TRUE(none.empty());
  std::array<int, 3> fixed{me(), 2 * me(), 7};
  share(comm_, fixed);
  EXPECT_EQ(fixed, (std::array{0, 0, 7}));
  const std::vector<std::string> of_first{"", "one", std::string(1000, 'x'), ""};
  std::vector<std::string> texts = me() == 0 ? of_first : std::vector<std::string>{"mine"};
  share(comm_, texts);
  EXPECT_EQ(texts, of_first);
}

TEST_F(AgreementTest, CollectsByRank) {
  const auto all = collected(comm_, std::array{me(), -me()});
  ASSERT_EQ(all.size(), static_cast<std::size_t>(comm_.size()));
  for (int rank = 0; rank < comm_.size(); ++rank)
    EXPECT_EQ(all[static_cast<std::size_t>(rank)], (std::array{rank, -rank}));
}

}  // namespace
}  // namespace cartwright::rt
