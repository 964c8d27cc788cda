// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <functional>
#include <string>

namespace cartwright::grid {

/// Collective. Runs `action` on rank 0 alone; what it throws is thrown on every rank, as an
/// `rt::Error` with `Reach::all_ranks`: nobody waits for a root that has given up.
void on_root(const rt::Communicator& comm, const std::function<void()>& action);

/// Collective. Runs `action` on every rank; if it throws anywhere, the error of the lowest such
/// rank is thrown on every rank. `action` itself must not communicate.
void on_all_ranks(const rt::Communicator& comm, const std::function<void()>& action);

/// Collective. The text that rank 0 gives.
[[nodiscard]] std::string from_root(const rt::Communicator& comm, std::string text);

}  // namespace cartwright::grid
