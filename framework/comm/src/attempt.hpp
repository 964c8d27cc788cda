// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/request.hpp>
#include <exception>
#include <optional>

namespace cartwright::comm {

/// Calls `step()`; what it throws is returned, nothing else.
template <class Step>
[[nodiscard]] std::optional<rt::Error> attempt_to(const Step& step) noexcept {
  try {
    step();
    return std::nullopt;
  } catch (...) {
    return rt::as_error(std::current_exception());
  }
}

/// … a step that waits for `request`, which is given up where it fails.
template <class Step>
[[nodiscard]] std::optional<rt::Error> attempt_to(rt::Request& request, const Step& step) noexcept {
  std::optional<rt::Error> error = attempt_to(step);
  if (error) request.withdraw();
  return error;
}

}  // namespace cartwright::comm
