// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cartwright/rt/ticks.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace cartwright::rt {

/// Why a run stops before its end. The larger one is reported when there are several.
enum class StopReason : int { none = 0, program = 1, wall_time = 2, stop_file = 3, signal = 4 };

class StopSignals;

/// Requests to stop, agreed across ranks: SIGUSR2, SIGTERM or SIGINT at any rank, a stop file, a
/// limit of wall time, or the program itself. A signal that came earlier in a run counts, too. One
/// object at a time.
class StopControl {
 public:
  /// Collective. `wall_time_limit` in seconds from `started`.
  StopControl(const Communicator& comm, Ticks started, std::optional<double> wall_time_limit = {});
  StopControl(const StopControl&) = delete;
  StopControl& operator=(const StopControl&) = delete;
  ~StopControl();

  /// Stops once this file exists (rank 0 looks twice a second and removes what it has obeyed).
  void watch_file(std::string path);
  /// How much earlier than the limit of wall time to stop, for instance what a checkpoint takes.
  void reserve(double seconds) noexcept { reserve_ = seconds; }
  /// Asks all ranks to stop; one rank suffices.
  void request() noexcept { requested_ = true; }

  /// Collective, once a step: the same answer on every rank. It is the answer to the question of
  /// the previous call, whose small reduction was under way meanwhile, so no rank waits for the
  /// slowest.
  /// Throws where other ranks have left their loop meanwhile (see all_leave).
  [[nodiscard]] bool should_stop();
  /// Collective, in the place of a further should_stop(), when a rank leaves its loop before the
  /// end. True when all ranks have left theirs at the same step; false as soon as one is known to
  /// go on, or when `give_up` says so: it is asked again and again while ranks are missing.
  [[nodiscard]] bool all_leave(const std::function<bool()>& give_up);
  [[nodiscard]] bool stopped() const noexcept { return agreed_ != StopReason::none; }
  [[nodiscard]] StopReason reason() const noexcept { return agreed_; }
  /// "the file out/heat/STOP was found", "the limit of wall time (1 h 30 min) was reached"…
  [[nodiscard]] std::string reason_text() const;

 private:
  struct Reduction;
  [[nodiscard]] StopReason local_reason();
  void ask(bool leaves);
  void hear();
  [[nodiscard]] bool is_answered(const std::function<bool()>& give_up);

  Communicator comm_;
  Ticks started_;
  std::optional<double> limit_;
  double reserve_ = 0.0;
  std::string file_;
  Ticks next_look_{};
  bool file_found_ = false;
  bool requested_ = false;
  std::unique_ptr<StopSignals> signals_;
  std::unique_ptr<Reduction> reduction_;
  Message question_;
  StopReason agreed_ = StopReason::none;
};

}  // namespace cartwright::rt
