// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/rt/duration.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/request.hpp>
#include <cartwright/rt/stop_control.hpp>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "stop_signals.hpp"

namespace cartwright::rt {
namespace {

constexpr std::chrono::milliseconds between_looks{500};

}  // namespace

// What ranks tell each other once a step; of each word the greatest counts.
struct StopControl::Reduction {
  struct Words {
    int reason = 0;
    int leaves = 0;   // 1: I have left my loop
    int goes_on = 0;  // 1: I make a further step, unless there is a reason not to
  };
  Words mine, everyones;
};

StopControl::StopControl(const Communicator& comm, Ticks started,
                         std::optional<double> wall_time_limit)
    : comm_(comm.duplicate()),
      started_(started),
      limit_(wall_time_limit),
      signals_(std::make_unique<StopSignals>()),
      reduction_(std::make_unique<Reduction>()) {}

StopControl::~StopControl() {
  if (stopped()) StopSignals::forget();
  if (!question_.is_valid()) return;
  // Every rank has asked equally often, unless one of them has failed: then don't wait for it.
  bool answered = false;
  if (!unwinding() && mpi_is_running()) {
    const auto deadline = now() + std::chrono::seconds(1);
    try {
      while (!(answered = question_.test()) && now() < deadline) std::this_thread::yield();
    } catch (const Error&) {
      answered = false;
    }
  }
  if (answered) return;
  question_.abandon();
  static_cast<void>(reduction_.release());  // MPI may still write there
}

void StopControl::watch_file(std::string path) {
  file_ = std::move(path);
  next_look_ = {};
}

StopReason StopControl::local_reason() {
  if (StopSignals::requested()) return StopReason::signal;
  if (comm_.is_root()) {
    const Ticks present = now();
    if (!file_.empty() && present >= next_look_) {
      std::error_code ignored;
      file_found_ = std::filesystem::exists(file_, ignored);
      next_look_ = present + between_looks;
    }
    if (file_found_) return StopReason::stop_file;
    if (limit_ && seconds_between(started_, present) >= *limit_ - reserve_) {
      return StopReason::wall_time;
    }
  }
  return requested_ ? StopReason::program : StopReason::none;
}

void StopControl::ask(bool leaves) {
  reduction_->mine = {static_cast<int>(local_reason()), leaves ? 1 : 0, leaves ? 0 : 1};
  MPI_Request request = MPI_REQUEST_NULL;
  static_assert(sizeof(Reduction::Words) == 3 * sizeof(int));
  mpi_check(MPI_Iallreduce(&reduction_->mine, &reduction_->everyones, 3, MPI_INT, MPI_MAX,
                           comm_.handle(), &request),
            "MPI_Iallreduce");
  question_ = Message(request, false);
}

void StopControl::hear() {
  agreed_ = static_cast<StopReason>(reduction_->everyones.reason);
  std::error_code ignored;  // otherwise a restarted run would stop at once
  if (stopped() && file_found_) std::filesystem::remove(file_, ignored);
}

bool StopControl::should_stop() {
  if (stopped()) return true;
  if (question_.is_valid()) {
    question_.wait({"the question whether to stop"});
    hear();
    if (reduction_->everyones.leaves != 0)
      throw internal_failure(
          "other ranks have left their loop of steps, but this one goes on",
          "A break or return must be the same on all ranks: decide by what all of them know, for "
          "instance by the result of a reduction.");
    if (stopped()) return true;
  }
  ask(false);
  return false;
}

bool StopControl::is_answered(const std::function<bool()>& give_up) {
  Patience patience(false);
  while (!question_.test()) {
    if (give_up()) return false;
    patience.pause();
  }
  hear();
  return true;
}

bool StopControl::all_leave(const std::function<bool()>& give_up) {
  if (question_.is_valid()) {
    if (!is_answered(give_up)) return false;
    if (reduction_->everyones.leaves != 0) return false;  // others left a step before
  }
  ask(true);
  return is_answered(give_up) && reduction_->everyones.goes_on == 0;
}

std::string StopControl::reason_text() const {
  switch (agreed_) {
    case StopReason::none:
      return "nothing asked it to";
    case StopReason::program:
      return "the program asked for it";
    case StopReason::wall_time:
      return fmt::format("the limit of wall time ({}) was reached",
                         format_duration(Seconds(limit_.value_or(0.0))));
    case StopReason::stop_file:
      return fmt::format("the file {} was found", file_);
    case StopReason::signal:
      return "a signal asked for it";
  }
  return {};
}

}  // namespace cartwright::rt
