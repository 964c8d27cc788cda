// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cartwright/rt/memory_room.hpp>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace cartwright::rt {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// A machine that says what a test wants.
class MemoryRoomTest : public testing::Test {
 protected:
  MemoryRoomTest() {
    std::string name = (std::filesystem::temp_directory_path() / "memory_room_XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  ~MemoryRoomTest() override { std::filesystem::remove_all(root_); }

  void says(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  [[nodiscard]] std::size_t room() const { return memory_room(root_).bytes; }

  std::filesystem::path root_;
};

TEST_F(MemoryRoomTest, ThisMachineHasSome) {
  EXPECT_GT(memory_room().bytes, 1U << 20U);
  EXPECT_LT(memory_room().bytes, std::size_t{1} << 50U);
}

TEST_F(MemoryRoomTest, NothingKnownIsNoLimit) {
  EXPECT_EQ(room(), unlimited);
  says("proc/meminfo", "garbage\nMemAvailable: many kB\n");
  says("proc/self/cgroup", "garbage\n\n0::\n:::\n3:memory:/a:b\n");
  EXPECT_EQ(room(), unlimited);
}

TEST_F(MemoryRoomTest, OfTheMachine) {
  says("proc/meminfo", "MemTotal:  100 kB\nMemFree: 1 kB\nMemAvailable:     50 kB\n");
  EXPECT_EQ(room(), 50U * 1024);
}

TEST_F(MemoryRoomTest, OfAContainer) {
  says("proc/meminfo", "MemAvailable: 1000000 kB\n");
  says("proc/self/cgroup", "0::/\n");
  says("sys/fs/cgroup/memory.max", "1000000\n");
  says("sys/fs/cgroup/memory.current", "700000\n");
  EXPECT_EQ(room(), 300'000U);
  says("sys/fs/cgroup/memory.stat", "anon 5\nactive_file 7\ninactive_file 200000\nslab 3\n");
  EXPECT_EQ(room(), 500'000U);
  says("sys/fs/cgroup/memory.current", "1000001\n");
  says("sys/fs/cgroup/memory.stat", "inactive_file 0\n");
  EXPECT_EQ(room(), 0U);
}

// A batch system limits a job, or a step of it.
TEST_F(MemoryRoomTest, OfTheGroupsAbove) {
  says("proc/self/cgroup", "0::/slurm/job_1/step_0\n");
  says("sys/fs/cgroup/slurm/job_1/step_0/memory.max", "max\n");
  says("sys/fs/cgroup/slurm/job_1/step_0/memory.current", "10\n");
  says("sys/fs/cgroup/slurm/job_1/memory.max", "5000\n");
  says("sys/fs/cgroup/slurm/job_1/memory.current", "1000\n");
  EXPECT_EQ(room(), 4000U);
}

TEST_F(MemoryRoomTest, OfVersion1) {
  says("proc/self/cgroup", "12:pids:/x\n9:cpu,memory:/job\n0::/\n");
  says("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  says("sys/fs/cgroup/memory/memory.usage_in_bytes", "123456\n");
  EXPECT_GT(room(), std::size_t{1} << 62U);
  says("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "6000\n");
  says("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "5000\n");
  says("sys/fs/cgroup/memory/job/memory.stat", "cache 3\ntotal_inactive_file 100\n");
  EXPECT_EQ(room(), 1100U);
}

// Old looks do for little, but not for more than a small part of what they saw.
TEST_F(MemoryRoomTest, RecentLooks) {
  RecentMemoryRoom recent;
  says("proc/meminfo", "MemAvailable: 64000 kB\n");
  EXPECT_EQ(recent.before(1000, root_).bytes, 64000U * 1024);
  EXPECT_LE(recent.before(1000, root_).bytes, 64000U * 1024);
  says("proc/meminfo", "MemAvailable: 10 kB\n");
  EXPECT_EQ(recent.before(2000 * 1024, root_).bytes, 10U * 1024);
  says("proc/meminfo", "MemAvailable: 64000 kB\n");
  EXPECT_EQ(recent.before(1000, root_).bytes, 64000U * 1024);
  says("proc/meminfo", "MemAvailable: 10 kB\n");
  std::size_t seen = 0;
  for (int asked = 0; asked <= 1000; ++asked) seen = recent.before(1024, root_).bytes;
  EXPECT_LE(seen, 10U * 1024);
}

TEST_F(MemoryRoomTest, WhereReservingIsNoPromise) {
  EXPECT_FALSE(memory_room(root_).reserving_is_no_promise);
  says("proc/sys/vm/overcommit_memory", "2\n");
  EXPECT_TRUE(memory_room(root_).reserving_is_no_promise);
}

}  // namespace
}  // namespace cartwright::rt
