// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/halo_statistics.hpp>
#include <cartwright/grid/run/inner_loop.hpp>
#include <cartwright/grid/space/work_map.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/ticks.hpp>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::comm {
class CartComm;
}
namespace cartwright::rt {
class Report;
}

namespace cartwright::grid {

class App;

/// Thrown on all ranks, between two steps, where the run goes on from the checkpoint just written
/// with another share of the work.
class WorkMoves : rt::OrderlyExit {};

/// What a run's ranks have to do, and who has how much of it (grid.balance). A rank is busy in a
/// step while it doesn't stand still in some rt::WaitScope. The same ranks that are late again and
/// again have too much work; that becomes a map of where it is, and that the cuts of the run's
/// grid. Where steps take longer with these than before, the former cuts come back, and stay: what
/// makes a rank late needn't be its work. Outlives the Run, which is made anew when work moves.
class WorkBalance {
 public:
  enum class Use { none, watch, move };
  /// Of grid.balance.
  [[nodiscard]] static Use use_named(const std::string& name);
  explicit WorkBalance(Use use);

  [[nodiscard]] bool is_wanted() const noexcept { return use_ != Use::none; }

  /// The run has a grid of so many cells, with these cuts; `guess`: what the deck says cells cost;
  /// `densities`: of the checkpoint from which the run goes on. Returns the cuts to be used.
  [[nodiscard]] Cuts begin_grid(const std::vector<long long>& extent, const PlaneWeights& guess,
                                const std::vector<double>& densities, const Cuts& cuts,
                                long long least);
  /// True once work has moved: the Run goes on from a checkpoint of its own.
  [[nodiscard]] bool has_moved() const noexcept { return moves_ > 0; }
  /// True while nothing was found out, and no checkpoint asked: a restart reads one.
  [[nodiscard]] bool knows_nothing() const noexcept { return map_.is_empty(); }

  /// A Run begins, anew or where work has moved.
  void begin_run(App& run);
  /// The solver's part of a step begins, and ends. A frame of `render` is one, too.
  void begin_step() noexcept;
  void end_step();

  /// Adds to each bin of a map how much of what costs time this rank has in it now: its particles,
  /// say. `owner` takes it back before it ends.
  using Amounts = std::function<void(const WorkMap& map, std::vector<double>& bins)>;
  void count_by(const void* owner, Amounts amounts);
  void forget(const void* owner) noexcept;
  /// Collective over the grid's ranks: the map learns from the steps since the last time.
  void learn(const comm::CartComm& comm);
  /// After learn(), the same on all ranks: other cuts would save more, in as many steps as were
  /// made since the last ones, than it takes to begin anew; and the same ranks were late in all of
  /// them. Or those before would have saved as much.
  [[nodiscard]] bool is_worth_moving();
  /// The latter, when last asked: work doesn't move any more.
  [[nodiscard]] bool goes_back() const noexcept { return goes_back_; }
  /// Work moves now: `run` ends, and another one goes on.
  void move(App& run);

  /// How long a step took in all, of late and at first, in s; 0: nothing was learned.
  [[nodiscard]] double step_seconds() const noexcept { return last_.whole; }
  [[nodiscard]] double first_step_seconds() const noexcept { return first_ ? first_->whole : 0.0; }
  [[nodiscard]] int moves() const noexcept { return moves_; }

  [[nodiscard]] const std::vector<double>& densities() const noexcept { return map_.densities(); }
  /// Collective. Adds the section "balance", if anything was watched.
  void report(rt::Report& report, const comm::CartComm& comm);

  /// Where the whole run's loop began, the first time; what it is given then, it keeps.
  struct LoopBegin {
    long long step = 0;
    rt::Ticks when{};
  };
  [[nodiscard]] const LoopBegin& loop_begin(const LoopBegin& here) {
    return loop_begin_ ? *loop_begin_ : loop_begin_.emplace(here);
  }

 private:
  /// What the ranks were busy since something was learned, in s; the same on all ranks.
  struct Learned {
    double mean = 0.0;   ///< of a step, of all ranks
    double most = 0.0;   ///< of the rank that had most to do in all steps together
    double whole = 0.0;  ///< a step, with all that is waited for
    double quick = 0.0;  ///< the same in the part of the time in which steps were quickest
    double steps = 0.0;
    double setup = 0.0;        ///< to begin a run
    double excess = 0.0;       ///< of that rank over the mean
    double uncertainty = 0.0;  ///< of the excess, from how it differs between parts of the time
  };

  struct Account;
  [[nodiscard]] static Learned learned_from(std::span<const Account> accounts,
                                            std::span<const double> made);
  void suppose_amounts(const comm::CartComm& comm);
  [[nodiscard]] bool is_better_undone() const;
  /// What it takes to begin anew, in s; more each time, as a run that begins often had better not.
  [[nodiscard]] double price() const { return last_.setup * (1 + moves_); }

  Use use_;
  std::vector<std::pair<const void*, Amounts>> amounts_;
  WorkMap map_;
  Cuts cuts_, next_cuts_;
  long long least_ = 1;
  bool has_learned_ = false;
  /// Steps of this rank that follow each other, in s.
  struct Steps {
    double busy = 0.0, whole = 0.0;
  };
  std::vector<Steps> steps_;  // since something was learned
  std::size_t stride_ = 1;    // steps in each of them
  std::size_t in_last_ = 0;   // steps in the last of them
  rt::Ticks run_began_{};
  std::optional<double> setup_;
  rt::Ticks step_began_{};
  rt::Ticks::duration waited_{};
  Learned last_{};
  std::optional<Learned> first_;
  double steps_of_cuts_ = 0.0;
  double steps_made_ = 0.0, lost_ = 0.0, busy_ = 0.0;  // over the run
  int moves_ = 0;
  /// Before work moved the last time.
  struct Former {
    Cuts cuts;
    double quick = 0.0, mean = 0.0;  ///< as in Learned
  };
  std::optional<Former> former_;
  bool goes_back_ = false;  ///< to these cuts, for good
  std::string why_not_;     // work stays where it is, when last asked
  std::optional<LoopBegin> loop_begin_;
  HaloStatistics halos_;  // of the runs before
  std::vector<InnerLoopRecord> inner_loops_;
};

}  // namespace cartwright::grid
