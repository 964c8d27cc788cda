// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <csignal>

namespace cartwright::rt {

/// Signals that ask to stop: SIGUSR2, SIGTERM and SIGINT. They are remembered from the first of
/// these objects on, which `execute` makes before MPI starts, so that none is lost meanwhile; the
/// last one to go restores what the process did before. Under the launcher a SIGTERM from the
/// parent, which is mpirun's after a failure, still ends the process.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  /// Has any of the signals come, and was not yet forgotten?
  [[nodiscard]] static bool requested() noexcept;
  /// The request was obeyed.
  static void forget() noexcept;

 private:
  static constexpr std::array signals{SIGUSR2, SIGTERM, SIGINT};
  bool installed_ = false;
  std::array<struct sigaction, signals.size()> former_{};
};

}  // namespace cartwright::rt
