// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/mpi_check.hpp>
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

}  // namespace

FailureGuard::FailureGuard(const Communicator& world, const Arena& arena)
    : state_(std::make_unique<State>()) {
  state_->world = world.duplicate();
  const NodeGroup& nodes = arena.nodes();
  state_->node_number = nodes.number();
  // Zero, as leased memory is: nobody has claimed it.
  state_->flag = arena.lease(nodes.comm(), nodes.comm().is_root() ? sizeof(std::atomic<int>) : 0);
  if (state_->flag)
    state_->claimed = reinterpret_cast<std::atomic<int>*>(state_->flag->part(0).data());
  state_->guard = this;
  catch_fatal_signals(*state_);
}

FailureGuard::~FailureGuard() {
  release_fatal_signals(*state_);
}

void FailureGuard::end_all_ranks(const Error& error) noexcept {
  const int code = static_cast<int>(error.code());
  end_at_the_latest(4, error.code());
  const State& state = *state_;
  if (state.claimed->exchange(1) == 0) {
    // Other nodes have flags of their own: the lowest that fails speaks first and ends the rest.
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min(20 * state.node_number, 1000)));
    std::string what = error.what();
    if (state.world.size() > 1) {
      what += fmt::format(" (on rank {} of {})", state.world.rank().value, state.world.size());
    }
    const std::string text = failure_message(Error(error.code(), what, error.advice()));
    std::fflush(stdout);
    write_to_standard_error(text);
  } else {
    // Another rank of this node has spoken, and is about to end us; its exit code counts.
    std::this_thread::sleep_for(std::chrono::seconds(2));
  }
  if (mpi_is_running()) MPI_Abort(state.world.handle(), code);
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
