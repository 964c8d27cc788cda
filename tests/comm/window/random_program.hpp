// SPDX-License-Identifier: Apache-2.0
// Random programs of epochs: who does what to whose memory, in which epoch.
#pragma once

#include <cartwright/comm/window.hpp>
#include <cstdint>
#include <optional>
#include <vector>

namespace cartwright::comm::test {

using Word = std::uint64_t;

/// What elements of a window are for. Those of one origin are determined at any time, those of all
/// origins at the end, if at all.
enum class Place {
  once,      ///< of one origin and step: put once
  again,     ///< of one origin: put and got again and again, in its order
  large,     ///< of one origin: up to more than MPI sends without asking
  own,       ///< of one origin: several atomic updates in an epoch, which keep their order
  counters,  ///< of all: added to
  shared,    ///< of all: one for each operator, by which they are updated
  tickets,   ///< of all: given out by fetch_and_op
  claim,     ///< of all, one of each step: who swaps first has it
  swapped,   ///< of all: each gets what another one has left there
};

[[nodiscard]] constexpr bool is_of_one_origin(Place place) {
  return place <= Place::own;
}

/// Where the elements of a rank's window lie.
struct Areas {
  static constexpr int once = 3;
  static constexpr int again = 4;
  static constexpr int large = 960;
  static constexpr int own = 6;
  static constexpr int counters = 4;
  static constexpr int operators = 10;
  static constexpr int most_steps = 60;
  static constexpr int most_ranks = 16;  ///< more can't be told apart by what they write

  int ranks = 1;
  /// Then each step has own elements: which of two epochs comes first isn't determined.
  bool reorders = false;

  [[nodiscard]] plan::Count at(Place place, int step, int origin) const;
  [[nodiscard]] plan::Count all() const { return at(Place::claim, most_steps, 0); }
};

/// One operation of an origin on a target in a step.
struct Action {
  enum class Deed {
    put,
    get,
    accumulate,
    get_accumulate,
    get_atomically,
    fetch_and_op,
    compare_and_swap
  };
  Deed deed = Deed::put;
  Place place = Place::once;
  plan::Count first = 0;  ///< of the place's elements
  int count = 1;
  bool is_strided = false;       ///< every other element there
  bool is_strided_here = false;  ///< … of what is read, in the origin's memory
  std::optional<Operator> op{};  ///< of an update; nothing: the new value replaces the old one
  Word value = 0;                ///< of which operands are made
};

/// What an origin does to one target, in one epoch.
struct Visit {
  int origin = 0;
  int target = 0;
  Lock lock = Lock::exclusive;
  bool flushes = false;
  std::vector<Action> actions;
};

struct Step {
  enum class Kind { general, fence, lock, lock_all, collective };
  Kind kind = Kind::general;
  std::vector<Visit> visits;
};

struct RandomProgram {
  /// Whether epochs may be reordered: then no two do something to the same element, unless it
  /// commutes.
  bool reorders = false;
  std::vector<Step> steps;

  [[nodiscard]] static RandomProgram make(int ranks, std::uint64_t seed, bool reorders,
                                          ScalarType type);
};

}  // namespace cartwright::comm::test
