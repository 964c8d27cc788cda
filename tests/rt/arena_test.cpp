// SPDX-License-Identifier: Apache-2.0
// Memory that the ranks of a node share: its parts, its end, and what happens where there is none.
#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cartwright/rt/arena.hpp>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <thread>

namespace cartwright::rt {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
using Way = Arena::Way;

/// Files of runs that have a name.
std::set<std::string> named_files() {
  std::set<std::string> names;
  for (const char* folder : {"/dev/shm", "/tmp"}) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
      if (entry.path().filename().string().starts_with("cartwright-") &&
          entry.is_regular_file(ignored))
        names.insert(entry.path().string());
  }
  return names;
}

/// Those that are new and stay: others' runs on this machine have theirs for a moment.
std::set<std::string> new_files_that_stay(const std::set<std::string>& before) {
  std::set<std::string> found = named_files();
  std::erase_if(found, [&](const std::string& name) { return before.contains(name); });
  for (int tries = 0; tries < 200 && !found.empty(); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const std::set<std::string> present = named_files();
    std::erase_if(found, [&](const std::string& name) { return !present.contains(name); });
  }
  return found;
}

/// Bytes that the file behind this memory takes; nothing where the system doesn't tell.
std::optional<std::size_t> bytes_taken(const std::byte* memory) {
  std::ifstream maps("/proc/self/maps");
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  for (std::string range, rest; maps >> range && std::getline(maps, rest);) {
    const std::uintptr_t begin = std::stoull(range, nullptr, 16);
    const std::uintptr_t end = std::stoull(range.substr(range.find('-') + 1), nullptr, 16);
    if (address < begin || address >= end) continue;
    struct stat status {};
    if (stat(("/proc/self/map_files/" + range).c_str(), &status) != 0) return std::nullopt;
    return static_cast<std::size_t>(status.st_blocks) * 512;
  }
  return std::nullopt;
}

class ArenaTest : public testing::TestWithParam<Way> {
 protected:
  [[nodiscard]] Arena arena(std::optional<std::size_t> room = std::nullopt) const {
    return {world_, {.ways = {GetParam()}, .folders = {}, .room = room}};
  }
  /// Each rank writes its own part and reads all.
  static void use(const Communicator& group, const Lease& lease, unsigned salt) {
    for (std::size_t i = 0; i < lease.mine().size(); ++i)
      lease.mine()[i] = value(lease.me(), i, salt);
    group.barrier();
    for (int member = 0; member < lease.members(); ++member) {
      const auto part = lease.part(member);
      for (std::size_t i = 0; i < part.size(); i += 1 + i / 7)
        ASSERT_EQ(part[i], value(member, i, salt)) << "byte " << i << " of member " << member;
      if (!part.empty()) {
        ASSERT_EQ(part.back(), value(member, part.size() - 1, salt));
      }
    }
    group.barrier();
  }
  static std::byte value(int member, std::size_t i, unsigned salt) {
    return static_cast<std::byte>((i * 31 + static_cast<unsigned>(member) * 7 + salt) % 251);
  }

  Communicator world_ = Communicator::duplicate(MPI_COMM_WORLD);
  int ranks_ = world_.size();
};

TEST_P(ArenaTest, FindsTheNodesOnce) {
  const Arena arena = this->arena();
  ASSERT_TRUE(arena.available()) << arena.describe();
  const NodeGroup& nodes = arena.nodes();
  EXPECT_EQ(nodes.comm().size(), static_cast<int>(nodes.ranks_of(nodes.number()).size()));
  EXPECT_EQ(nodes.node_of()[static_cast<std::size_t>(world_.rank().value)], nodes.number());
  EXPECT_EQ(nodes.ranks_of(nodes.number())[static_cast<std::size_t>(nodes.comm().rank().value)],
            world_.rank().value);
  std::size_t all = 0;
  for (int node = 0; node < nodes.count(); ++node) all += nodes.ranks_of(node).size();
  EXPECT_EQ(all, static_cast<std::size_t>(ranks_));
}

TEST_P(ArenaTest, PartsOfAnySizeAreZeroAndShared) {
  const Arena arena = this->arena();
  std::mt19937 random(7);  // the same on all ranks
  for (unsigned round = 0; round < 20; ++round) {
    std::vector<std::size_t> sizes(static_cast<std::size_t>(ranks_));
    for (std::size_t& size : sizes) {
      const std::array<std::size_t, 6> choices{
          0, 1, 63 + random() % 3, 4095 + random() % 3, random() % 300'000, 64};
      size = choices[random() % choices.size()];
    }
    const auto lease = arena.lease(world_, sizes[static_cast<std::size_t>(world_.rank().value)]);
    ASSERT_TRUE(lease);
    ASSERT_EQ(lease->members(), ranks_);
    ASSERT_EQ(lease->me(), world_.rank().value);
    for (int member = 0; member < ranks_; ++member) {
      const auto part = lease->part(member);
      ASSERT_EQ(part.size(), sizes[static_cast<std::size_t>(member)]);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part.data()) % (part.size() < 4096 ? 64 : 4096),
                0);
      EXPECT_TRUE(std::ranges::all_of(part, [](std::byte byte) { return byte == std::byte{0}; }));
    }
    world_.barrier();
    use(world_, *lease, round);
  }
}

TEST_P(ArenaTest, NothingAtAllIsALeaseToo) {
  const auto lease = arena().lease(world_, 0);
  ASSERT_TRUE(lease);
  EXPECT_TRUE(lease->mine().empty());
  EXPECT_EQ(Lease().members(), 0);
}

TEST_P(ArenaTest, OutlivesTheArenaAndMoves) {
  std::optional<Lease> first = arena().lease(world_, 1000);
  ASSERT_TRUE(first);
  const std::byte* const memory = first->mine().data();
  Lease second = std::move(*first);
  first.reset();
  EXPECT_EQ(second.mine().data(), memory);
  use(world_, second, 3);
}

// One rank gives its lease back while the others still use theirs.
TEST_P(ArenaTest, WhatIsGivenBackIsZeroWhenItIsLeasedAgain) {
  const Arena arena = this->arena();
  for (unsigned round = 0; round < 100; ++round) {
    std::optional<Lease> early = arena.lease(world_, 5000);
    std::optional<Lease> late = arena.lease(world_, 100);
    ASSERT_TRUE(early && late);
    EXPECT_EQ(early->mine()[4999], std::byte{0});
    EXPECT_EQ(late->mine()[99], std::byte{0});
    std::ranges::fill(late->mine(), std::byte{1});
    if (world_.rank().value == static_cast<int>(round) % ranks_) early.reset();
    if (early) {
      std::ranges::fill(early->mine(), std::byte{2});
    }
  }
  const auto lease = arena.lease(world_, 70'000);
  ASSERT_TRUE(lease);
  use(world_, *lease, 1);
}

TEST_P(ArenaTest, ServesGroupsAtTheSameTime) {
  const Arena arena = this->arena();
  const Communicator odd = world_.split(world_.rank().value % 2, 0);
  for (unsigned round = 0; round < 10; ++round) {
    const auto lease = arena.lease(odd, 10'000 + round);
    ASSERT_TRUE(lease);
    EXPECT_EQ(lease->members(), odd.size());
    use(odd, *lease, round);
  }
}

TEST_P(ArenaTest, LeavesNoNames) {
  world_.barrier();
  const auto before = named_files();
  world_.barrier();
  const Arena arena = this->arena();
  const auto lease = arena.lease(world_, 12'345);
  ASSERT_TRUE(lease);
  world_.barrier();
  EXPECT_EQ(new_files_that_stay(before), std::set<std::string>());
  world_.barrier();
}

TEST_P(ArenaTest, NoRoomIsAnAnswerOnAllRanks) {
  const Arena arena = this->arena(mebibyte);
  ASSERT_TRUE(arena.available());
  EXPECT_FALSE(arena.lease(world_, world_.is_root() ? mebibyte : 0));
  EXPECT_FALSE(arena.lease(world_, ~std::size_t{0} / 2));
  EXPECT_FALSE(arena.lease(world_, ~std::size_t{0}));
  EXPECT_FALSE(this->arena().lease(world_, ~std::size_t{0} - 4096));
  const auto lease = arena.lease(world_, 1000);
  ASSERT_TRUE(lease);
  use(world_, *lease, 5);
}

// The system would kill a process that makes a file beyond this limit.
TEST_P(ArenaTest, LimitsOnFilesAreNoRoom) {
  if (ranks_ == 1) GTEST_SKIP() << "one rank needs no file";
  const Arena arena = this->arena();
  rlimit former{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &former), 0);
  rlimit little = former;
  little.rlim_cur = 100'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  const auto none = arena.lease(world_, mebibyte);
  const auto some = arena.lease(world_, 100);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &former), 0);
  EXPECT_FALSE(none);
  EXPECT_TRUE(some);
}

// On one rank only: all go without.
TEST_P(ArenaTest, LimitsOnAddressesAreNoRoom) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need all addresses";
#endif
  const Arena arena = this->arena();
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0;
  statm >> pages;
  rlimit former{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &former), 0);
  rlimit little = former;
  little.rlim_cur = pages * 4096 + 8 * mebibyte;
  const bool limited = world_.rank().value == ranks_ - 1;
  if (limited) setrlimit(RLIMIT_AS, &little);
  const auto none = arena.lease(world_, 32 * mebibyte);
  if (limited) setrlimit(RLIMIT_AS, &former);
  EXPECT_FALSE(none);
  EXPECT_TRUE(arena.lease(world_, 100));
}

INSTANTIATE_TEST_SUITE_P(Ways, ArenaTest, testing::Values(Way::descriptor, Way::file),
                         [](const auto& way) {
                           return way.param == Way::descriptor ? "descriptor" : "file";
                         });

class ArenaPages : public ArenaTest {
 protected:
  /// Bytes that are there at once, of a lease of 8 MiB where so much room is left.
  std::optional<std::size_t> taken(std::size_t room) {
    const auto lease = arena(room).lease(world_, 8 * mebibyte / static_cast<std::size_t>(ranks_));
    EXPECT_TRUE(lease);
    if (!lease) return 0;
    world_.barrier();
    const auto bytes = bytes_taken(lease->part(0).data());
    world_.barrier();
    return bytes;
  }
};

TEST_P(ArenaPages, TakesNoneWhereMemoryIsPlentiful) {
  const auto bytes = taken(1024 * mebibyte);
  if (!bytes) GTEST_SKIP() << "the system doesn't tell";
  EXPECT_EQ(*bytes, 0U);
}

TEST_P(ArenaPages, TakesAllWhereItIsScarce) {
  const auto bytes = taken(16 * mebibyte);
  if (!bytes) GTEST_SKIP() << "the system doesn't tell";
  EXPECT_GE(*bytes, 8 * mebibyte - 64 * 1024);
}

// What was only reserved counts against the next one.
TEST_P(ArenaPages, PromisesAddUp) {
  if (ranks_ == 1) GTEST_SKIP();
  const Arena arena = this->arena(64 * mebibyte);
  const std::size_t bytes = 10 * mebibyte / static_cast<std::size_t>(ranks_);
  std::vector<Lease> leases;
  for (int i = 0; i < 20; ++i) {
    auto lease = arena.lease(world_, bytes);
    world_.barrier();
    if (!lease) break;
    leases.push_back(std::move(*lease));
  }
  EXPECT_GE(leases.size(), 2U);
  leases.clear();
  world_.barrier();
  EXPECT_TRUE(arena.lease(world_, bytes));
}

INSTANTIATE_TEST_SUITE_P(Ways, ArenaPages, testing::Values(Way::descriptor));

TEST(ArenaWithoutMemory, GoesOnWithout) {
  const Communicator world = Communicator::duplicate(MPI_COMM_WORLD);
  const Arena none;
  EXPECT_FALSE(none.available());
  EXPECT_FALSE(none.lease(world, 1));
  EXPECT_FALSE(none.describe().empty());
  const Arena no_way(world, {.ways = {}, .folders = {}, .room = {}});
  EXPECT_FALSE(no_way.available());
  EXPECT_EQ(no_way.lease(world, 10).has_value(), world.size() == 1);
  EXPECT_EQ(no_way.nodes().comm().size(), world.size());
  const Arena no_folder(world,
                        {.ways = {Way::file}, .folders = {"/nowhere/at/all", "/proc"}, .room = {}});
  EXPECT_EQ(no_folder.available(), world.size() == 1);
}

TEST(ArenaWithoutMemory, TakesTheWayThatWorks) {
  const Communicator world = Communicator::duplicate(MPI_COMM_WORLD);
  const Arena arena(world);
  ASSERT_TRUE(arena.available());
  EXPECT_TRUE(arena.lease(world, 100));
}

}  // namespace
}  // namespace cartwright::rt
