// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cartwright/rt/failure.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "speaker.hpp"

namespace cartwright::rt {

/// The signals that a fault of the program raises; SIGTRAP is how GLib (below PLplot) gives up.
inline constexpr std::array fatal_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};

struct FailureGuard::State {
  MPI_Comm world = MPI_COMM_NULL;  ///< outlives this
  int rank = 0;
  int ranks = 1;
  std::chrono::milliseconds delay{0};  ///< until those have spoken that share no flag with it
  Speaker speaker;
  std::optional<Lease> flag;
  std::atomic<int> own_claim{0};
  std::atomic<int>* claimed = &own_claim;  ///< 1: a rank of this node speaks
  const std::atomic<long long>* step = nullptr;
  std::array<struct sigaction, fatal_signals.size()> former_actions{};
  std::terminate_handler former_terminate = nullptr;
  std::vector<char> signal_stack;
  std::string memory_note;  ///< made beforehand: a signal handler can't
  stack_t former_stack{};
  FailureGuard* guard = nullptr;
};

/// Handlers for `fatal_signals` (not under sanitizers, which have better ones) and std::terminate.
void catch_fatal_signals(FailureGuard::State& state);
void release_fatal_signals(FailureGuard::State& state) noexcept;

/// True for the first of this node that asks: nobody else says why the run ends.
[[nodiscard]] bool may_speak(FailureGuard::State& state) noexcept;
/// The same for who doesn't know the guard. (Where nobody guards the process: always.)
[[nodiscard]] bool may_speak() noexcept;
/// The same among several that know a turn of their own: its first taker asks, nobody else does. If
/// each took what was left of both, one could have the one and one the other, and nobody spoke.
[[nodiscard]] bool may_speak(std::atomic<std::uint32_t>& turn) noexcept;

/// A run has failed, and said why: what a library meets while it cleans up is no news. (HDF5
/// crashes in MPI_Finalize when it couldn't write a file.) From here on its death is an end with
/// that code.
void end_quietly_by_signals() noexcept;

/// In one piece, so that texts of several ranks don't mix. Safe in signal handlers.
void write_to_standard_error(std::string_view text) noexcept;
/// The same, by whoever ends all ranks then: returns when it has been read, or nobody does within a
/// second.
void write_last_words(std::string_view text) noexcept;

}  // namespace cartwright::rt
