// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <functional>
#include <string>

namespace cartwright::grid {

/// Collective. Runs `action` on rank 0 alone; what it throws is thrown on every rank, as an
/// `rt::Error` with `Reach::all_ranks`: nobody waits for a root that has given up.
void on_root(const comm::Collectives& comm, const std::function<void()>& action,
             comm::CallSite site = comm::CallSite::here());

/// Collective. Runs `action` on every rank; if it throws anywhere, the error of the lowest such
/// rank is thrown on every rank. `action` itself must not communicate.
void on_all_ranks(const comm::Collectives& comm, const std::function<void()>& action,
                  comm::CallSite site = comm::CallSite::here());

/// Collective. The text that rank 0 gives.
[[nodiscard]] std::string from_root(const comm::Collectives& comm, std::string text,
                                    comm::CallSite site = comm::CallSite::here());

}  // namespace cartwright::grid
