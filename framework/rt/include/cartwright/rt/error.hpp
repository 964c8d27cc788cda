// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace cartwright::rt {

/// What the process returns to its shell; the same on every rank.
enum class ExitCode : int {
  finished = 0,           ///< the run did all that the deck asked for
  input_error = 1,        ///< deck, command line, files or environment: the user can mend it
  numerical_failure = 2,  ///< the solution is not a number, or a step is unstable
  internal_failure = 3,   ///< communication, a lost rank, or a fault of the program
  stopped_early = 4,      ///< stopped on request after a checkpoint: can be restarted
};

/// Who has met the failure. A failure met by every rank together ends the run in order; one met by
/// this rank alone must end ranks that may be blocked in a message.
enum class Reach { this_rank, all_ranks };

/// The one exception of the framework: what happened, where, and what to do next.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& what, std::string advice = {},
        Reach reach = Reach::this_rank)
      : std::runtime_error(what),
        code_(code),
        advice_(std::move(advice)),
        reach_(reach),
        mark_(reach == Reach::all_ranks) {}

  [[nodiscard]] ExitCode code() const noexcept { return code_; }
  /// What to do next, a full sentence; may be empty.
  [[nodiscard]] const std::string& advice() const noexcept { return advice_; }
  [[nodiscard]] Reach reach() const noexcept { return reach_; }

 private:
  /// Counts this thread's living errors that all ranks have met (see all_ranks_unwind).
  class Mark {
   public:
    explicit Mark(bool counts) noexcept : counts_(counts) { add(counts_ ? 1 : 0); }
    Mark(const Mark& other) noexcept : Mark(other.counts_) {}
    Mark& operator=(const Mark& other) noexcept {
      add((other.counts_ ? 1 : 0) - (counts_ ? 1 : 0));
      counts_ = other.counts_;
      return *this;
    }
    ~Mark() { add(counts_ ? -1 : 0); }

   private:
    static void add(int difference) noexcept;
    bool counts_;
  };

  ExitCode code_;
  std::string advice_;
  Reach reach_;
  Mark mark_;
};

/// The user can mend it: exit code 1.
[[nodiscard]] inline Error input_error(const std::string& what, std::string advice = {},
                                       Reach reach = Reach::this_rank) {
  return {ExitCode::input_error, what, std::move(advice), reach};
}

/// The numbers went wrong: exit code 2.
[[nodiscard]] inline Error numerical_failure(const std::string& what, std::string advice = {},
                                             Reach reach = Reach::this_rank) {
  return {ExitCode::numerical_failure, what, std::move(advice), reach};
}

/// Communication or the program itself failed: exit code 3.
[[nodiscard]] inline Error internal_failure(const std::string& what, std::string advice = {},
                                            Reach reach = Reach::this_rank) {
  return {ExitCode::internal_failure, what, std::move(advice), reach};
}

/// What is thrown, by all ranks together and at the same place, where nothing has failed but scopes
/// are to be left: destructors do then what they always do. No std::exception: nobody else has
/// anything to catch.
class OrderlyExit {
 public:
  OrderlyExit() noexcept { ++under_way_; }
  OrderlyExit(const OrderlyExit& /*other*/) noexcept : OrderlyExit() {}
  OrderlyExit& operator=(const OrderlyExit&) = default;
  ~OrderlyExit() { --under_way_; }
  [[nodiscard]] static int under_way() noexcept { return under_way_; }

 private:
  static inline constinit thread_local int under_way_ = 0;
};

/// True while an exception leaves scopes on this rank. A destructor must not wait for other ranks
/// then: they don't know of the failure yet, and waiting would turn it into a hang.
[[nodiscard]] inline bool unwinding() noexcept {
  return std::uncaught_exceptions() > OrderlyExit::under_way();
}

/// True while an error with Reach::all_ranks leaves scopes on this rank: a destructor can't ask the
/// exception that it runs for. The other ranks should be here too, but may not be: whoever waits
/// for them does so for a bounded time.
[[nodiscard]] bool all_ranks_unwind() noexcept;

}  // namespace cartwright::rt
