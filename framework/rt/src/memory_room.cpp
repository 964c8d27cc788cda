// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/rt/memory_room.hpp>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace cartwright::rt {
namespace {

using Path = std::filesystem::path;

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// The files of a control group that matter, in one of its two versions.
struct GroupFiles {
  const char* limit;
  const char* used;
  const char* cached;  ///< in memory.stat: what is given back when somebody needs it
};
constexpr GroupFiles version_1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file"};
constexpr GroupFiles version_2{"memory.max", "memory.current", "inactive_file"};

/// The number behind a word; without a word the first one.
std::optional<std::size_t> number_in(const Path& file, const std::string& word = {}) {
  std::ifstream text(file);
  std::string read;
  std::size_t number = 0;
  if (word.empty()) {
    if (text >> number) return number;
    return std::nullopt;
  }
  while (text >> read)
    if (read == word && text >> number) return number;
  return std::nullopt;
}

std::size_t left_in_group(const Path& group, const GroupFiles& files) {
  const auto limit = number_in(group / files.limit);  // "max" is no number
  const auto used = number_in(group / files.used);
  if (!limit || !used) return unlimited;
  const std::size_t cached = number_in(group / "memory.stat", files.cached).value_or(0);
  const std::size_t taken = *used - std::min(cached, *used);
  return *limit - std::min(taken, *limit);
}

/// Limits hold for all groups below. In a container the path may begin outside of what is mounted;
/// its own group is the root of the mounted tree then.
std::size_t left_on_the_way(const Path& tree, Path group, const GroupFiles& files) {
  std::size_t left = left_in_group(tree, files);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path())
    left = std::min(left, left_in_group(tree / group, files));
  return left;
}

/// Lines such as `0::/user.slice` (version 2) or `9:cpu,memory:/job` (version 1).
std::size_t left_in_groups(const Path& root) {
  std::ifstream lines(root / "proc/self/cgroup");
  const Path tree = root / "sys/fs/cgroup";
  std::size_t left = unlimited;
  for (std::string number, controllers, group; std::getline(lines, number, ':') &&
                                               std::getline(lines, controllers, ':') &&
                                               std::getline(lines, group);) {
    const std::string listed = ',' + controllers + ',';
    if (controllers.empty())
      left = std::min(left, left_on_the_way(tree, group, version_2));
    else if (listed.find(",memory,") != std::string::npos)
      left = std::min(left, left_on_the_way(tree / "memory", group, version_1));
  }
  return left;
}

}  // namespace

MemoryRoom memory_room(const Path& root) {
  MemoryRoom room{.bytes = left_in_groups(root)};
  if (const auto kilobytes = number_in(root / "proc/meminfo", "MemAvailable:"))
    room.bytes = std::min(room.bytes, *kilobytes * 1024);
  room.reserving_is_no_promise = number_in(root / "proc/sys/vm/overcommit_memory").value_or(0) == 2;
  return room;
}

MemoryRoom RecentMemoryRoom::before(std::size_t bytes, const Path& root) {
  constexpr std::chrono::milliseconds while_others_take_little{50};
  const auto now = std::chrono::steady_clock::now();
  const std::size_t little = seen_.bytes / 64;
  if (now - at_ > while_others_take_little || bytes > little || asked_for_ > little - bytes) {
    seen_ = memory_room(root);
    asked_for_ = 0;
    at_ = now;
  }
  MemoryRoom room = seen_;
  room.bytes -= std::min(asked_for_, room.bytes);
  asked_for_ += std::min(bytes, seen_.bytes - std::min(asked_for_, seen_.bytes));
  return room;
}

}  // namespace cartwright::rt
