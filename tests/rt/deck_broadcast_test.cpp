// SPDX-License-Identifier: Apache-2.0
// Rank 0 reads; all ranks agree on what it found, good or bad.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "deck_fixture.hpp"

namespace cartwright::rt::test {
namespace {

TEST(DeckBroadcast, AllRanksHaveTheDeckOfRankZero) {
  const Communicator comm = Communicator::duplicate(MPI_COMM_WORLD);
  const auto path = std::filesystem::temp_directory_path() /
                    ("cartwright-broadcast-" + std::to_string(getpid()) + ".yaml");
  if (comm.is_root()) std::ofstream(path) << "grid: {extent: [8, 9]}\ntitle: shared\n";
  // Only rank 0 knows the file's right name and the override: theirs must win.
  const std::vector<std::string> overrides{comm.is_root() ? "seed=7" : "seed=nonsense"};
  Reader reader;
  Deck deck = Deck::read(comm, path.string(), overrides);
  deck.apply(reader.root);
  EXPECT_EQ(reader.sample.title, "shared");
  EXPECT_EQ(reader.sample.seed, 7);
  EXPECT_EQ(reader.sample.grid.extent, (std::vector<int>{8, 9}));
  if (comm.is_root()) std::filesystem::remove(path);
}

TEST(DeckBroadcast, AllRanksHearOfAMissingFile) {
  const Communicator comm = Communicator::duplicate(MPI_COMM_WORLD);
  try {
    (void)Deck::read(comm, "/no/such/deck.yaml", {});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/no/such/deck.yaml: there is no such file");
    EXPECT_EQ(error.reach(), Reach::all_ranks);
  }
}

}  // namespace
}  // namespace cartwright::rt::test
