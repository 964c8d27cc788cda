// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective_check.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>

namespace cartwright::plan::test {

/// The schedule of one rank of a rooted operation.
using RootedGenerator = std::function<Schedule(Team, Root)>;

/// What is wrong with a trial for that root, or an empty text.
using RootedCheck = std::function<std::string(const Trial&, int root)>;

inline Trial rooted_trial(int ranks, int root, Place place, const RootedGenerator& make) {
  return {ranks, place, [make, root](Team team) { return make(team, {root}); }};
}

/// Expects nothing to be wrong, for one root. False when something is.
inline bool expect_rooted(int ranks, int root, const RootedGenerator& make,
                          const RootedCheck& check, std::initializer_list<Place> places) {
  for (const Place place : places) {
    const std::string wrong = check(rooted_trial(ranks, root, place, make), root);
    EXPECT_EQ(wrong, "") << ranks << " ranks, root " << root
                         << (place == Place::in_place ? ", in place" : "");
    if (!wrong.empty()) return false;
  }
  return true;
}

/// All roots of 1 … 64 ranks. Stops at the first fault.
inline void expect_every_root(const RootedGenerator& make, const RootedCheck& check,
                              std::initializer_list<Place> places = {Place::separate,
                                                                     Place::in_place}) {
  for (int ranks = 1; ranks <= 64; ++ranks)
    for (int root = 0; root < ranks; ++root)
      if (!expect_rooted(ranks, root, make, check, places)) return;
}

/// A few roots of 1 … 64 ranks, for what takes longer; all of them when CARTWRIGHT_LONG_TESTS is
/// set.
inline void expect_some_roots(const RootedGenerator& make, const RootedCheck& check,
                              std::initializer_list<Place> places = {Place::separate,
                                                                     Place::in_place}) {
  if (std::getenv("CARTWRIGHT_LONG_TESTS") != nullptr)
    return expect_every_root(make, check, places);
  for (int ranks = 1; ranks <= 64; ++ranks)
    for (const int root : std::set<int>{0, ranks / 3, ranks - 1})
      if (!expect_rooted(ranks, root, make, check, places)) return;
}

/// Two random roots of 64 random numbers of ranks up to `most`.
inline void expect_random_ranks(int most, const RootedGenerator& make, const RootedCheck& check) {
  std::minstd_rand random(7);
  for (const int ranks : random_ranks(64, most))
    for (int i = 0; i < 2; ++i) {
      const auto root = static_cast<int>(random() % static_cast<unsigned>(ranks));
      const Place place = i == 0 ? Place::separate : Place::in_place;
      if (!expect_rooted(ranks, root, make, check, {place})) return;
    }
}

/// A length for so many ranks: P² · length <= 10^8.
inline Count short_enough(int ranks) {
  return std::min<Count>(1000, 100'000'000 / (static_cast<Count>(ranks) * ranks));
}

/// Messages of a whole operation, and blocks that travel, counted once for each hop.
struct Traffic {
  Count messages = 0;
  Count block_hops = 0;
};

inline Traffic traffic(int ranks, int root, const RootedGenerator& make) {
  Traffic all;
  for (int me = 0; me < ranks; ++me) {
    const Schedule schedule = make({ranks, me}, {root});
    for (const Step& step : schedule.steps()) {
      all.messages += step.sends() ? 1 : 0;
      all.block_hops += step.sends() ? step.count : 0;
    }
  }
  return all;
}

}  // namespace cartwright::plan::test
