// SPDX-License-Identifier: Apache-2.0
// Schedules glued in sequence and merged side by side.
#include "collective_check.hpp"
#include "structure.hpp"

#include <cartwright/plan/algorithms/allgather.hpp>
#include <cartwright/plan/algorithms/alltoall.hpp>
#include <cartwright/plan/algorithms/barrier.hpp>
#include <cartwright/plan/algorithms/broadcast.hpp>
#include <cartwright/plan/compose.hpp>
#include <cartwright/plan/interpret.hpp>
#include <cartwright/plan/validate.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace cartwright::plan {
namespace {

struct Named {
  std::string name;
  test::Generator make;
};

std::vector<Named> allgathers() {
  return {{"ring", allgather::ring},
          {"recursive_doubling", allgather::recursive_doubling},
          {"sparbit", allgather::sparbit},
          {"bruck", [](Team team) { return allgather::bruck(team, 1); }},
          {"bruck 3",
           [](Team team) { return allgather::bruck(team, 3, allgather::LastRound::balanced); }}};
}

// All blocks of a row of ranks to all in the row, then rows to all of a column.
Schedule by_rows_and_columns(Team team, int width, const test::Generator& in_rows,
                             const test::Generator& in_columns) {
  Sequence whole(team, {.blocks = team.ranks, .input = {team.me, 1}, .output = {0, team.ranks}});
  const int column = team.me % width;
  const int row = team.me / width;
  const Schedule rows = in_rows({width, column, team.place});
  whole.add(rows, {ranks_from(row * width), blocks_from(row * width)});
  whole.next(rows.rounds());
  const Schedule columns = in_columns({team.ranks / width, row, Place::in_place});
  whole.add(columns, {ranks_from(column, width), [width](int b) { return b * width; }});
  whole.next(columns.rounds());
  return std::move(whole).finish();
}

TEST(Sequence, GluesPartsOfSomeRanksAndBlocks) {
  for (const Named& rows : allgathers())
    for (const Named& columns : allgathers())
      for (int width = 1; width <= 7; ++width)
        for (int height = 1; height <= 5; ++height)
          for (const Place place : {Place::separate, Place::in_place})
            for (const auto& counts : test::block_counts(width * height))
              ASSERT_EQ(test::check_allgather({width * height, place,
                                               [&](Team team) {
                                                 return by_rows_and_columns(team, width, rows.make,
                                                                            columns.make);
                                               }},
                                              counts),
                        "")
                  << rows.name << " in " << height << " rows of " << width << ", " << columns.name;
}

// The part's rank 0 and block 0 are any rank of the whole.
Schedule turned(Team team, int by, const test::Generator& make) {
  Sequence whole(team, {.blocks = team.ranks, .input = {team.me, 1}, .output = {0, team.ranks}});
  const Schedule part = make({team.ranks, (team.me - by + team.ranks) % team.ranks, team.place});
  std::vector<int> ranks(static_cast<std::size_t>(team.ranks));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::rotate(ranks.begin(), ranks.begin() + by, ranks.end());
  whole.add(part, {ranks_listed(ranks), blocks_from(by), whole.builder().input(team.me).buffer,
                   Buffer::output});
  whole.next(part.rounds());
  return std::move(whole).finish();
}

TEST(Sequence, FollowsBlocksRoundTheEnd) {
  for (int ranks = 1; ranks <= 12; ++ranks)
    for (int by = 0; by < ranks; ++by)
      for (const Place place : {Place::separate, Place::in_place})
        // Only scratch memory reaches round the end: pieces of a result must not.
        for (const auto& make :
             {test::Generator(allgather::ring), test::Generator(allgather::sparbit)})
          EXPECT_EQ(test::check_allgather(
                        {ranks, place, [&](Team team) { return turned(team, by, make); }},
                        std::vector<Count>(static_cast<std::size_t>(ranks), 2)),
                    "")
              << ranks << " ranks turned by " << by;
}

TEST(Sequence, MessagesRoundTheEndOfAPartAreTwo) {
  const auto sends = [](int width) {
    const Schedule whole = by_rows_and_columns(
        {12, 1}, width, [](Team team) { return allgather::bruck(team); }, allgather::ring);
    return test::count_sends(whole);
  };
  EXPECT_EQ(sends(12), 4);     // the whole ring: as they are
  EXPECT_EQ(sends(4), 2 + 2);  // blocks 1, 2 of a row in the second round
  EXPECT_EQ(sends(3), 2 + 3);
}

TEST(Sequence, CountsBlocksThatAreShared) {
  // 5 segments over the 2 blocks of the whole, some of them empty.
  const auto make = [](Team team) {
    Sequence whole(team, {.blocks = 2, .output = {0, 2}});
    const Schedule part = broadcast::chain(team, {1}, 5);
    whole.add(part, {ranks_from(0), blocks_shared(5, 2), Buffer::input, Buffer::output});
    whole.next(part.rounds());
    return std::move(whole).finish();
  };
  EXPECT_EQ(test::check_broadcast({6, Place::separate, make}, 1, 7), "");
}

TEST(Sequence, SignalsStandBehindThoseOfEarlierParts) {
  const auto make = [](Team team) {
    const Schedule in = barrier::fan_in(team, 2);
    const Schedule out = barrier::fan_out(team, 2);
    Sequence whole(team, {.blocks = in.blocks() + out.blocks() - 1, .signals = true});
    whole.add(in, {ranks_from(0), blocks_from(0)});
    whole.next(in.rounds());
    whole.add(out, {ranks_from(0), blocks_from(in.blocks() - 1)});
    whole.next(out.rounds());
    return std::move(whole).finish();
  };
  for (int ranks = 1; ranks <= 64; ++ranks)
    EXPECT_EQ(test::check_barrier({ranks, Place::separate, make}), "");
  // Rank 0 of 3 sends in round 1 what it has heard in round 0.
  std::vector<int> sent;
  for (const Schedule schedule = make({3, 0}); const Step& step : schedule.steps())
    if (step.sends()) sent.push_back(step.count);
  EXPECT_EQ(sent, (std::vector<int>{3, 3}));
}

TEST(Sequence, RefusesWhatDoesntFit) {
  Sequence whole({4, 1}, {.blocks = 1, .output = {0, 1}});
  const Embedding embedding{ranks_from(2), blocks_from(0)};
  EXPECT_THROW(whole.add(broadcast::linear({2, 0}, {0}), embedding), std::invalid_argument);
  EXPECT_THROW(whole.add(barrier::fan_in({4, 1}), {ranks_from(0), blocks_from(0)}),
               std::invalid_argument);
}

// What several operations make of some numbers, each alone, and merged.
class Merge {
 public:
  Merge(int ranks, Place place, const std::vector<test::Generator>& parts, bool even = false)
      : even_(even) {
    for (int r = 0; r < ranks; ++r) {
      parts_.emplace_back();
      for (const auto& make : parts) parts_.back().push_back(make({ranks, r, place}));
    }
  }

  std::string check() {
    const std::size_t parts = parts_[0].size();
    std::vector<Memory<std::uint64_t>> expected(parts_.size());
    std::vector<Memory<std::uint64_t>> memories(parts_.size());
    for (std::size_t i = 0; i < parts; ++i) {
      auto alone = filled(i);
      for (std::size_t r = 0; r < alone.size(); ++r) append(alone[r], memories[r]);
      std::vector<Schedule> schedules;
      for (const auto& rank : parts_) schedules.push_back(rank[i]);
      run(schedules, std::vector<Layout>(alone.size(), layout(i)), alone);
      for (std::size_t r = 0; r < alone.size(); ++r) append(alone[r], expected[r]);
    }
    std::vector<Schedule> merged;
    std::vector<SideBySideLayout> sizes;
    std::vector<Layout> layouts;
    std::vector<Layout> of_parts;
    for (std::size_t i = 0; i < parts; ++i) of_parts.push_back(layout(i));
    for (const auto& rank : parts_) {
      merged.push_back(side_by_side(rank));
      sizes.emplace_back(rank, of_parts);
    }
    for (const auto& size : sizes) layouts.push_back(size.layout());
    if (const auto found = faults(merged, layouts); !found.empty()) return found.front();
    for (std::size_t r = 0; r < memories.size(); ++r)
      if (std::cmp_not_equal(length(merged[r], layouts[r], Buffer::output),
                             memories[r].output.size()))
        return "the output has another length";
    run(merged, layouts, memories);
    for (std::size_t r = 0; r < memories.size(); ++r)
      if (memories[r].output != expected[r].output) return "rank " + std::to_string(r) + " differs";
    return {};
  }

 private:
  [[nodiscard]] Layout layout(std::size_t part) const {
    const int blocks = parts_[0][part].blocks();
    return even_ ? Cuts::uniform(blocks, 3) : Cuts::balanced(blocks, 3 * blocks + 2);
  }

  [[nodiscard]] std::vector<Memory<std::uint64_t>> filled(std::size_t part) const {
    std::vector<Memory<std::uint64_t>> memories(parts_.size());
    std::uint64_t next = 1000 * (part + 1);
    for (std::size_t r = 0; r < memories.size(); ++r)
      for (const Buffer buffer : {Buffer::input, Buffer::output}) {
        auto& data = buffer == Buffer::input ? memories[r].input : memories[r].output;
        data.resize(static_cast<std::size_t>(length(parts_[r][part], layout(part), buffer)));
        for (auto& number : data) number = ++next;
      }
    return memories;
  }

  static void append(const Memory<std::uint64_t>& more, Memory<std::uint64_t>& to) {
    to.input.insert(to.input.end(), more.input.begin(), more.input.end());
    to.output.insert(to.output.end(), more.output.begin(), more.output.end());
  }

  static void run(const std::vector<Schedule>& schedules, const std::vector<Layout>& layouts,
                  std::vector<Memory<std::uint64_t>>& memories) {
    interpret<std::uint64_t>(schedules, layouts, memories,
                             [](std::uint64_t a, std::uint64_t b) { return 31 * a + b; });
  }

  bool even_;
  std::vector<std::vector<Schedule>> parts_;  // by rank
};

// A ring in which each rank adds its number: sent in one round, received in a later one.
Schedule late(Team team) {
  Builder build(team, {.blocks = 1, .input = {0, 1}, .output = {0, 1}});
  const Buffer heard = build.scratch(0);
  build.send((team.me + 1) % team.ranks, build.input(0));
  build.set_round(3);
  build.receive((team.me + team.ranks - 1) % team.ranks, {heard, 0, 1});
  build.combine({heard, 0, 1}, build.input(0), build.output(0));
  return std::move(build).finish(4);
}

TEST(SideBySide, DoesWhatItsPartsDoAlone) {
  const test::Generator bruck = [](Team team) { return allgather::bruck(team, 2); };
  for (const int ranks : {2, 3, 4, 7, 8, 13, 33, 64})
    for (const Place place : {Place::separate, Place::in_place}) {
      using Parts = std::vector<test::Generator>;
      EXPECT_EQ(Merge(ranks, place, {bruck}).check(), "") << ranks << " ranks";
      EXPECT_EQ(Merge(ranks, place, {alltoall::pairwise, bruck, alltoall::bruck}, true).check(), "")
          << ranks << " ranks";
      for (const Parts& parts :
           {Parts{bruck, allgather::ring, bruck},
            Parts{late, allgather::sparbit, late, allgather::recursive_doubling}})
        EXPECT_EQ(Merge(ranks, place, parts).check(), "") << ranks << " ranks";
    }
}

TEST(SideBySide, StripesOneBroadcastOverSeveralTrees) {
  const auto chain = [](int root) {
    return [root](Team team) { return broadcast::chain(team, {root % team.ranks}, 4); };
  };
  const auto tree = [](Team team) {
    return broadcast::binomial_low_bit_first(team, {0}, RootPlacement::rotate);
  };
  for (const int ranks : {2, 5, 16})
    EXPECT_EQ(Merge(ranks, Place::separate, {chain(0), tree, chain(1), chain(3)}).check(), "");
}

TEST(SideBySide, TakesNoMoreRoundsThanItsLongestPart) {
  const std::vector<Schedule> parts{allgather::ring({8, 3}), allgather::bruck({8, 3})};
  const Schedule whole = side_by_side(parts);
  EXPECT_EQ(whole.rounds(), 7);
  EXPECT_EQ(whole.blocks(), 32);
  EXPECT_EQ(test::count_sends(whole), 7 + 3);
}

TEST(SideBySide, MergesSignals) {
  const auto make = [](Team team) {
    const std::vector<Schedule> parts{barrier::dissemination(team, 2),
                                      barrier::dissemination(team)};
    return side_by_side(parts);
  };
  for (int ranks = 2; ranks <= 20; ++ranks)
    EXPECT_EQ(test::check_barrier({ranks, Place::separate, make}), "");
}

TEST(SideBySide, RefusesOtherTeams) {
  const auto merge = [](const std::vector<Schedule>& parts) { return side_by_side(parts); };
  EXPECT_THROW(merge({}), std::invalid_argument);
  EXPECT_THROW(merge({allgather::ring({4, 0}), allgather::ring({4, 1})}), std::invalid_argument);
  EXPECT_THROW(merge({allgather::ring({4, 0}), allgather::ring({4, 0, Place::in_place})}),
               std::invalid_argument);
  EXPECT_THROW(merge({allgather::ring({4, 0}), barrier::dissemination({4, 0})}),
               std::invalid_argument);
}

}  // namespace
}  // namespace cartwright::plan
