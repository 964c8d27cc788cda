// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "failure_state.hpp"

namespace cartwright::rt {
namespace {

std::atomic<int> last_code{static_cast<int>(ExitCode::internal_failure)};

void on_alarm(int) {
  ::_exit(last_code.load(std::memory_order_relaxed));
}

constexpr std::chrono::milliseconds between_nodes{20};
constexpr std::chrono::milliseconds between_ranks{100};  // they are near, and quick

/// Who shares no flag with this rank waits for another turn: the first ends the rest.
void await_turn(std::chrono::milliseconds delay) noexcept {
  std::this_thread::sleep_for(std::min(delay, std::chrono::milliseconds(2000)));
}

void say(const Speaker& speaker, const Error& error) noexcept {
  const std::string text = failure_message(error);
  std::fflush(stdout);
  write_last_words(text);
  speaker.note_failed(static_cast<int>(error.code()));
}

Error with_rank(const Error& error, int rank, int ranks) {
  if (ranks == 1) return error;
  return {error.code(), fmt::format("{} (on rank {} of {})", error.what(), rank, ranks),
          error.advice()};
}

/// As far as MPI knows it.
Error with_rank(const Error& error, MPI_Comm world) {
  int rank = 0, ranks = 1;
  if (error.reach() == Reach::all_ranks || !mpi_is_running() ||
      MPI_Comm_rank(world, &rank) != MPI_SUCCESS || MPI_Comm_size(world, &ranks) != MPI_SUCCESS)
    return error;
  return with_rank(error, rank, ranks);
}

/// Where MPICH's ranks speak with what has started them (PMI 1.1), before MPI has begun; 0:
/// nowhere.
int starter_before_mpi() noexcept {
  const char* const stream = std::getenv("PMI_FD");
  int has_begun = 0;
  if (stream == nullptr || MPI_Initialized(&has_begun) != MPI_SUCCESS || has_begun != 0) return 0;
  return std::atoi(stream);  // NOLINT(*-err34-c)
}

/// As MPI_Abort: else mpiexec waits for the others, and they wait for this one to begin.
void abort_by_starter(int starter, int code) noexcept {
  std::array<char, 40> words{};
  const auto end =
      fmt::format_to_n(words.data(), words.size(), "cmd=abort exitcode={}\n", code).out;
  (void)!::write(starter, words.data(), static_cast<std::size_t>(end - words.data()));
}

/// By what Open MPI or MPICH says of the job.
bool all_ranks_are_here() noexcept {
  const auto agree = [](const char* of_node, const char* of_job) {
    const char* const here = std::getenv(of_node);
    const char* const all = std::getenv(of_job);
    return here != nullptr && all != nullptr && std::string_view(here) == all;
  };
  return agree("OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_SIZE") ||
         agree("MPI_LOCALNRANKS", "PMI_SIZE");
}

/// Zero, as leased memory is: nobody has claimed it.
void share_flag(FailureGuard::State& state, const Arena& arena) {
  const NodeGroup& nodes = arena.nodes();
  const std::size_t bytes = nodes.comm().is_root() ? sizeof(std::atomic<int>) : 0;
  state.flag = arena.lease(nodes.comm(), bytes);
  if (!state.flag) return;
  state.claimed = reinterpret_cast<std::atomic<int>*>(state.flag->part(0).data());
  state.delay = between_nodes * nodes.number();
}

}  // namespace

FailureGuard::FailureGuard(const Communicator& world, const Arena& arena)
    : state_(std::make_unique<State>()) {
  state_->world = world.handle();
  state_->rank = world.rank().value;
  state_->delay = between_ranks * state_->rank;
  state_->ranks = world.size();
  state_->guard = this;
  catch_fatal_signals(*state_);
  try {
    share_flag(*state_, arena);
  } catch (...) {
    end_all_ranks(as_error(std::current_exception()));
  }
}

FailureGuard::~FailureGuard() {
  release_fatal_signals(*state_);
}

int FailureGuard::end(const Communicator& world, const Error& error) noexcept {
  if (error.reach() == Reach::this_rank || !all_ranks_met(world)) end_all_ranks(error);
  if (world.is_root() && may_speak(*state_)) say(state_->speaker, error);
  end_at_the_latest(4, error.code());  // what is left to do may still block
  return static_cast<int>(error.code());
}

void FailureGuard::end_all_ranks(const Error& error) noexcept {
  const int code = static_cast<int>(error.code());
  end_at_the_latest(4, error.code());
  State& state = *state_;
  if (may_speak(state)) {
    await_turn(state.delay);
    say(state.speaker, with_rank(error, state.rank, state.ranks));
  } else {
    // Another rank of this node has spoken, and is about to end us; its exit code counts.
    std::this_thread::sleep_for(std::chrono::seconds(2));
  }
  if (mpi_is_running()) MPI_Abort(state.world, code);
  ::_exit(code);
}

int FailureGuard::end_before_mpi(const Error& error) noexcept {
  const Speaker speaker;
  const Speaker::Turn turn = speaker.claim();
  const int rank = rank_from_environment();
  const int starter = starter_before_mpi();
  if (turn == Speaker::Turn::of_others) {
    speaker.await_failed();
  } else if (turn == Speaker::Turn::unknown && rank != 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));  // rank 0 has met it, too
    if (starter > 0) say(speaker, error);  // it hasn't, or this process would be ended by now
  } else {
    if (!all_ranks_are_here()) await_turn(between_ranks * rank);
    say(speaker, error);
  }
  if (starter > 0) abort_by_starter(starter, static_cast<int>(error.code()));
  return static_cast<int>(error.code());
}

void FailureGuard::end_start(const Error& error, MPI_Comm world) noexcept {
  const int code = static_cast<int>(error.code());
  end_at_the_latest(5, error.code());
  const Speaker speaker;
  const Speaker::Turn turn = speaker.claim();
  if (turn == Speaker::Turn::of_others) {
    speaker.await_failed();
  } else {
    const bool knows = turn == Speaker::Turn::mine && all_ranks_are_here();
    if (!knows) await_turn(between_ranks * rank_from_environment());
    // Ranks of several nodes have not begun at the same moment.
    if (knows || !speaker.mpirun_node_speaks()) say(speaker, with_rank(error, world));
  }
  if (mpi_is_running()) MPI_Abort(world, code);
  ::_exit(code);
}

void FailureGuard::end_at_the_latest(int seconds, ExitCode code) noexcept {
  last_code = static_cast<int>(code);
  struct sigaction action {};
  action.sa_handler = seconds > 0 ? on_alarm : SIG_DFL;
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, nullptr);
  ::alarm(static_cast<unsigned>(std::max(seconds, 0)));
}

void end_quietly_by_signals() noexcept {
  struct sigaction action {};
  action.sa_handler = on_alarm;
  sigemptyset(&action.sa_mask);
  for (const int signal : fatal_signals) sigaction(signal, &action, nullptr);
}

void FailureGuard::watch_step(const std::atomic<long long>* step) noexcept {
  state_->step = step;
}

bool FailureGuard::all_ranks_met(const Communicator& world) {
  const WaitScope waiting({"the agreement that all ranks have failed"});
  MPI_Request barrier = MPI_REQUEST_NULL;
  if (MPI_Ibarrier(world.handle(), &barrier) != MPI_SUCCESS) return false;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  for (int arrived = 0; arrived == 0;) {
    if (MPI_Test(&barrier, &arrived, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (arrived == 0 && std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace cartwright::rt
