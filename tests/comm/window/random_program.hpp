// SPDX-License-Identifier: Apache-2.0
// Random programs of epochs, and what they must leave in memory: computed one step after the other.
#pragma once

#include <cartwright/comm/window.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::comm::test {

using Word = std::uint64_t;

/// Where the elements of a rank's window lie: what is written once, what is written again and again
/// by one origin (in its order), what is counted together.
struct Areas {
  static constexpr int once = 3;     ///< elements of each step and origin
  static constexpr int again = 4;    ///< … of each origin
  static constexpr int large = 960;  ///< … of each origin: up to more than MPI sends without asking
  static constexpr int counters = 4;
  static constexpr int most_steps = 60;

  int ranks = 1;

  [[nodiscard]] plan::Count once_at(int step, int origin) const {
    return static_cast<plan::Count>(step * ranks + origin) * once;
  }
  [[nodiscard]] plan::Count again_at(int origin) const {
    return once_at(most_steps, 0) + static_cast<plan::Count>(origin) * again;
  }
  [[nodiscard]] plan::Count large_at(int origin) const {
    return again_at(ranks) + static_cast<plan::Count>(origin) * large;
  }
  [[nodiscard]] plan::Count counters_at() const { return large_at(ranks); }
  [[nodiscard]] plan::Count tickets_at() const { return counters_at() + counters; }
  [[nodiscard]] plan::Count claim_at(int step) const { return tickets_at() + 1 + step; }
  [[nodiscard]] plan::Count all() const { return claim_at(most_steps); }
};

/// One operation of an origin on a target in a step.
struct Action {
  enum class Kind {
    put_once,
    put_strided,
    put_again,
    get_again,
    put_large,
    get_large,
    add,
    ticket,
    claim
  };
  Kind kind = Kind::add;
  int count = 1;
  Word value = 0;
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
  /// Whether epochs may be reordered: then nothing is done twice to the same element, unless it
  /// commutes.
  bool reorders = false;
  std::vector<Step> steps;

  [[nodiscard]] static RandomProgram make(int ranks, std::uint64_t seed, bool reorders);
};

/// Carries out programs on one rank, and says what is wrong: nothing, or texts.
class ProgramRun {
 public:
  ProgramRun(const CartComm& cart, Window<Word>& window, const RandomProgram& program,
             std::uint64_t seed);
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;
  /// Collective; the window's memory is zero before.
  [[nodiscard]] std::string run();
  /// The most that were pending at a time.
  [[nodiscard]] std::size_t most_pending() const { return most_pending_; }
  [[nodiscard]] std::uint64_t epochs() const { return epochs_; }

 private:
  struct Read {
    std::vector<Word> values;
    Word expected = 0;  // of all
    int target = 0;
    int step = 0;
    Action::Kind kind = Action::Kind::add;
  };
  struct InFlight {
    std::optional<EpochRequest> epoch;
    std::optional<Pending> collective;
    std::vector<Read*> reads;
    int exposed_step = -1;  // what came in this step is checked then
    std::vector<const Visit*> visits;
  };

  void do_step(int number);
  void do_general(int number, const Step& step);
  void do_fence(int number, const Step& step);
  void do_locks(int number, const Step& step);
  void do_lock_all(int number, const Step& step);
  template <class Epoch>
  void act(Epoch&& on_target, int step, const Visit& visit, InFlight& flight);
  void model(int number, const Step& step);
  void note(InFlight flight);
  void complete_one(std::size_t which);
  void check(const InFlight& flight);
  void check_tickets();
  void check_claims();
  void check_memory();
  void complain(std::string text);
  [[nodiscard]] bool chance(int percent) { return next() % 100 < static_cast<Word>(percent); }
  [[nodiscard]] Word next();

  const CartComm* cart_;
  Window<Word>* window_;
  const RandomProgram* program_;
  Areas areas_;
  int me_;
  Word random_;
  std::vector<Word> model_;  // this rank's memory
  struct Written {
    std::vector<Word> again = std::vector<Word>(Areas::again);
    std::vector<Word> large = std::vector<Word>(Areas::large);
  };
  std::map<std::pair<int, int>, Written> written_;  // by origin and target: its elements there
  std::vector<Word> tickets_;                       // given out, by target
  std::vector<std::unique_ptr<std::vector<Word>>> sources_;
  std::vector<std::unique_ptr<Read>> reads_;
  std::vector<InFlight> in_flight_;
  std::vector<std::vector<long long>> sums_;
  std::size_t most_pending_ = 0;
  std::uint64_t epochs_ = 0;
  std::string faults_;
};

}  // namespace cartwright::comm::test
