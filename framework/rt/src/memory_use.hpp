// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace cartwright::rt {

/// "this rank held 3.2 GiB; the node has 0.1 of 15.6 GiB left", and the limit on its memory, if
/// there is one: as far as Linux tells.
[[nodiscard]] std::string memory_use_text();

/// Where the limit on this process's memory (ulimit -v) has been nearly reached: a sentence that
/// says so, for failures of libraries that don't say why. Else empty.
[[nodiscard]] std::string memory_shortage();

/// For a process that dies by a signal: "Its memory is limited to 0.5 GiB (ulimit -v)…"; empty
/// where it isn't.
[[nodiscard]] std::string memory_limit_note();

/// Address space, in GiB.
struct MemoryLimit {
  double allowed;  ///< ulimit -v
  double held;
};

/// Nothing where there is no limit.
[[nodiscard]] std::optional<MemoryLimit> memory_limit();

}  // namespace cartwright::rt
