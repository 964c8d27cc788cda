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

}  // namespace cartwright::rt
