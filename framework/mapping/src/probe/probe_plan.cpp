// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/probe/probe_hierarchy.hpp>
#include <cartwright/mapping/probe/probe_plan.hpp>
#include <map>

namespace cartwright::mapping {
namespace {

using plan::Count;
using Pairs = std::vector<std::pair<int, int>>;

/// Many turns of small messages make one sample, or the clock would count.
int turns_for(Count bytes) {
  return bytes <= 4096 ? 8 : bytes <= 65536 ? 2 : 1;
}

std::vector<int> members_of(const Pairs& pairs, std::size_t count) {
  std::vector<int> members;
  for (std::size_t i = 0; i < count; ++i) {
    members.push_back(pairs[i].first);
    members.push_back(pairs[i].second);
  }
  return members;
}

class LevelPlan {
 public:
  LevelPlan(const ProbeHierarchy& hierarchy, const ProbeEffort& effort, std::size_t level)
      : effort_(effort),
        level_(static_cast<int>(level)),
        pairs_(disjoint_pairs(hierarchy, level)),
        targets_(root_and_targets(hierarchy, level)) {}

  std::vector<ProbeSpec> make() {
    if (pairs_.empty()) return {};
    single_pairs();
    const std::vector<int> first = members_of(pairs_, 1);
    parametrised(first);
    bursts(first);
    multicasts();
    many_pairs();
    return std::move(specs_);
  }

 private:
  void add(ProbeTest test, const std::vector<int>& members, Count bytes, int messages,
           double delay = 0.0) {
    specs_.push_back({test, level_, members, bytes, messages, delay});
  }
  [[nodiscard]] int window_of(Count bytes) const {
    return static_cast<int>(std::clamp<Count>(effort_.window_bytes / bytes, 2, 32));
  }

  void single_pairs() {
    const std::size_t pairs =
        std::min(pairs_.size(), static_cast<std::size_t>(effort_.representatives));
    for (std::size_t i = 0; i < pairs; ++i) {
      const auto& [a, b] = pairs_[i * (pairs_.size() - 1) / std::max<std::size_t>(pairs - 1, 1)];
      for (Count bytes = 1; bytes <= effort_.largest; bytes *= bytes == 1 ? 64 : 2) {
        if (effort_.quick && bytes > 64 && bytes < 1024) continue;
        add(ProbeTest::ping_pong, {a, b}, bytes, turns_for(bytes));
      }
    }
    const std::vector<int> first = members_of(pairs_, 1);
    for (Count bytes = 1024; bytes <= effort_.largest; bytes *= 4) {
      add(ProbeTest::window, first, bytes, window_of(bytes));
      add(ProbeTest::bidirectional, first, bytes, window_of(bytes));
    }
  }

  void parametrised(const std::vector<int>& pair) {
    constexpr int burst = 8;
    for (Count bytes = 1; bytes <= Count{256} * 1024; bytes *= 4) {
      add(ProbeTest::parametrised, pair, bytes, 1);
      add(ProbeTest::parametrised, pair, bytes, burst);
      if (bytes <= 1024) add(ProbeTest::parametrised, pair, bytes, burst, -1.0);
    }
  }

  void bursts(const std::vector<int>& pair) {
    for (int messages = 1; messages <= effort_.most_targets; ++messages)
      add(ProbeTest::parametrised, pair, burst_bytes, messages);
  }

  void multicasts() {
    const auto most = std::min(targets_.size(), static_cast<std::size_t>(effort_.most_targets) + 1);
    for (std::size_t ranks = 2; ranks <= most; ++ranks)
      add(ProbeTest::multicast,
          {targets_.begin(), targets_.begin() + static_cast<std::ptrdiff_t>(ranks)}, burst_bytes,
          1);
  }

  void many_pairs() {
    const Count large = std::min(Count{1024} * 1024, effort_.largest);
    for (std::size_t count = 1; count <= pairs_.size(); count = next(count)) {
      const std::vector<int> members = members_of(pairs_, count);
      add(ProbeTest::ping_pong, members, burst_bytes, turns_for(burst_bytes));
      add(ProbeTest::ping_pong, members, large, 1);
      add(ProbeTest::window, members, large, std::min(8, window_of(large)));
    }
  }
  /// Every number up to 8, then about half as many again, and all.
  [[nodiscard]] std::size_t next(std::size_t count) const {
    if (count < 8) return count + 1;
    return count >= pairs_.size() ? count + 1 : std::min(count + count / 2, pairs_.size());
  }

  static constexpr Count burst_bytes = 8;
  const ProbeEffort& effort_;
  int level_;
  Pairs pairs_;
  std::vector<int> targets_;
  std::vector<ProbeSpec> specs_;
};

}  // namespace

ProbeEffort ProbeEffort::small() {
  ProbeEffort effort;
  effort.quick = true;
  effort.most_ranks = 16;
  effort.largest = Count{1024} * 1024;
  effort.window_bytes = Count{8} * 1024 * 1024;
  effort.most_targets = 10;
  effort.representatives = 1;
  return effort;
}

std::vector<std::pair<int, int>> disjoint_pairs(const ProbeHierarchy& hierarchy,
                                                std::size_t level) {
  const auto& units = hierarchy.levels[level].unit_of;
  // The ranks of each unit, and the units of each unit above.
  std::map<int, std::map<int, std::vector<int>>> parents;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const int parent = level == 0 ? 0 : hierarchy.levels[level - 1].unit_of[i];
    parents[parent][units[i]].push_back(hierarchy.ranks[i]);
  }
  const bool innermost = level + 1 == hierarchy.levels.size();
  Pairs best;
  for (const auto& [parent, children] : parents) {
    Pairs pairs;
    const std::vector<int>* left = nullptr;
    for (const auto& [unit, ranks] : children) {
      if (left == nullptr) {
        left = &ranks;
        continue;
      }
      if (!innermost) pairs.clear();
      for (std::size_t i = 0; i < std::min(left->size(), ranks.size()); ++i)
        pairs.emplace_back((*left)[i], ranks[i]);
      if (pairs.size() > best.size()) best = pairs;
      left = nullptr;
    }
  }
  return best;
}

std::vector<int> root_and_targets(const ProbeHierarchy& hierarchy, std::size_t level) {
  std::vector<int> best;
  for (std::size_t root = 0; root < hierarchy.ranks.size(); ++root) {
    std::vector<int> ranks{hierarchy.ranks[root]};
    for (std::size_t other = 0; other < hierarchy.ranks.size(); ++other)
      if (other != root && parting_level(hierarchy, root, other) == level)
        ranks.push_back(hierarchy.ranks[other]);
    if (ranks.size() > best.size()) best = std::move(ranks);
  }
  return best;
}

std::vector<ProbeSpec> scan_plan(const std::vector<int>& ranks, const ProbeEffort& effort) {
  std::vector<ProbeSpec> specs;
  for (const int from : ranks)
    for (const int to : ranks)
      if (from != to) specs.push_back({ProbeTest::scan, -1, {from, to}, effort.scan_bytes, 2, 0.0});
  return specs;
}

std::vector<ProbeSpec> level_plan(const ProbeHierarchy& hierarchy, const ProbeEffort& effort) {
  std::vector<ProbeSpec> specs;
  for (std::size_t level = 0; level < hierarchy.levels.size(); ++level) {
    auto more = LevelPlan(hierarchy, effort, level).make();
    std::ranges::move(more, std::back_inserter(specs));
  }
  const int first = hierarchy.ranks.front();
  for (const ProbeTest test : {ProbeTest::copy, ProbeTest::combine})
    specs.push_back({test, -1, {first}, Count{1024} * 1024, 1, 0.0});
  return specs;
}

std::string describe(const ProbeSpec& spec, const ProbeHierarchy& hierarchy) {
  std::string name(name_of(spec.test));
  std::ranges::replace(name, '_', '-');
  if (spec.members.size() == 1) return fmt::format("{} of memory", name);
  const std::string where =
      spec.level < 0
          ? std::string()
          : fmt::format(" ({})", hierarchy.levels[static_cast<std::size_t>(spec.level)].name);
  if (spec.test == ProbeTest::multicast)
    return fmt::format("multicast to {} rank{}{}", spec.members.size() - 1,
                       spec.members.size() == 2 ? "" : "s", where);
  if (spec.members.size() > 2)
    return fmt::format("{} of {} B, {} pairs{}", name, spec.bytes, spec.members.size() / 2, where);
  return fmt::format("{} of {} B between ranks {} and {}{}", name, spec.bytes, spec.members[0],
                     spec.members[1], where);
}

}  // namespace cartwright::mapping
