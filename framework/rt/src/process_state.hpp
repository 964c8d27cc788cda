// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/silence.hpp>
#include <cstdint>

namespace cartwright::rt {

/// What tells a process from another one that got its number later.
struct ProcessMark {
  std::int64_t number = 0;
  std::uint64_t started = 0;  ///< in clock ticks since the machine was booted; 0: not known
};

[[nodiscard]] ProcessMark this_process() noexcept;

/// As /proc says. A process that was never visible there (another namespace of processes) counts as
/// one that runs: `visible` must have been asked for while it did.
[[nodiscard]] ProcessState state_of(const ProcessMark& process) noexcept;
[[nodiscard]] bool is_visible(const ProcessMark& process) noexcept;

/// Whether a thread of this process reads or writes files, or only waits for other ranks there: it
/// spins, or naps for a short time again and again. Two looks at it tell.
class FileWork {
 public:
  /// Work of the calling thread.
  FileWork() noexcept;
  /// Since the last look it has neither read nor written; at both it ran, or slept for a time or
  /// for messages, for shorter than between them. (Where the system doesn't tell: false.)
  [[nodiscard]] bool is_idle() noexcept;

 private:
  int thread_;
  std::uint64_t calls_ = 0;     ///< of read, write and the like, and their bytes
  std::uint64_t run_time_ = 0;  ///< ns
  bool waited_ = false;
};

}  // namespace cartwright::rt
