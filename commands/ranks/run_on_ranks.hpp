// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/failure.hpp>
#include <functional>

/// What programs of the launcher's verbs have in common that run on several ranks.
namespace cartwright::command {

using OnRanks = std::function<void(const rt::Communicator& world, rt::FailureGuard& guard)>;

/// Starts MPI, runs `body` on all ranks, and returns the exit code. A failure on one rank ends all,
/// with one message.
int run_on_ranks(const OnRanks& body);

/// `program` returns an exit code, as main does; what it throws (without MPI) becomes a message of
/// the rank that speaks, and an exit code.
int main_on_ranks(const std::function<int(bool speaks)>& program);

}  // namespace cartwright::command
