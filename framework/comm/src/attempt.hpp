// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
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

}  // namespace cartwright::comm
