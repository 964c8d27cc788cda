// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/error.hpp>
#include <exception>
#include <memory>
#include <string>

namespace cartwright::rt {

/// `cartwright: error: WHAT` and, on the next line, the advice.
[[nodiscard]] std::string failure_message(const Error& error);

/// Memory that could not be had: exit code 3. `wanted` says how much and for what, if that is
/// known; the message adds what this process and its node have.
[[nodiscard]] Error out_of_memory(const std::string& wanted, const std::string& advice = {});

/// For programs without a FailureGuard: from here on an `Error` that nobody catches is said once,
/// not by every rank that has met it, and ends the program with its exit code. May be called again.
void say_uncaught_errors_once() noexcept;
/// The same for every exception: what as_error() makes of it.
void say_uncaught_exceptions_once() noexcept;

/// Any exception as an `Error`: std::bad_alloc says how much memory the process had, anything
/// unknown becomes an internal failure.
[[nodiscard]] Error as_error(const std::exception_ptr& exception);

/// Ends all ranks with one message and one exit code, whoever fails first. While it lives, deaths
/// by SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT and std::terminate end all ranks in the same way.
/// One object at a time.
class FailureGuard {
 public:
  /// Collective: leases a flag for the ranks of a node, so that only one of them speaks. Where
  /// `arena` has no memory, several may speak that fail at the same time. Ends all ranks if it
  /// fails. `world` must outlive this.
  FailureGuard(const Communicator& world, const Arena& arena);
  FailureGuard(const FailureGuard&) = delete;
  FailureGuard& operator=(const FailureGuard&) = delete;
  ~FailureGuard();

  /// What all ranks have met is said by rank 0, once they are all here: returns the exit code.
  /// Anything else ends them all.
  [[nodiscard]] int end(const Communicator& world, const Error& error) noexcept;
  /// This rank alone has failed, and others may be blocked in a message: says so, unless another
  /// rank has spoken, and ends the job within 5 seconds. Never returns.
  [[noreturn]] void end_all_ranks(const Error& error) noexcept;
  /// Where there is no guard yet: says so like `end_all_ranks`, and ends all ranks if MPI runs,
  /// this process if it doesn't.
  [[noreturn]] static void end_start(const Error& error, MPI_Comm world) noexcept;
  /// Where there is no MPI yet, and ranks meet the same as a rule, such as a mistake in the command
  /// line: one of them says it. Returns the exit code.
  [[nodiscard]] static int end_before_mpi(const Error& error) noexcept;
  /// For a failure that every rank should have met: waits up to 2 seconds for all of them. False
  /// when they don't come, or MPI doesn't work: then only `end_all_ranks` is left.
  [[nodiscard]] static bool all_ranks_met(const Communicator& world);
  /// From here on the process ends with `code` after `seconds`, whatever blocks it; 0: no longer.
  static void end_at_the_latest(int seconds, ExitCode code) noexcept;

  /// `step` is read when the process dies by a signal; negative: not known.
  void watch_step(const std::atomic<long long>* step) noexcept;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace cartwright::rt
