// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <functional>
#include <string>

namespace cartwright::bench {

/// What the command line of a benchmark with options of its own asks for.
struct RanksProgram {
  std::string help;  ///< to be printed, instead of measuring; empty: it wasn't asked for
  std::function<void(const rt::Communicator& world)> measure;
};

/// The frame of main for such a benchmark: MPI without Kokkos, failure on any rank. `parse` runs
/// before MPI starts. Returns what `main` returns.
[[nodiscard]] int run_on_ranks(const std::function<RanksProgram()>& parse);

}  // namespace cartwright::bench
