// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <functional>
#include <string>

#include "options.hpp"
#include "results.hpp"

namespace cartwright::bench {

/// What a benchmark works with.
struct Setting {
  const rt::Communicator& world;
  const Options& options;
  std::string layout;  ///< "2 ranks x 1 thread"
};

/// The frame of every benchmark's main: command line, MPI, Kokkos, failure on any rank, table and
/// JSON. `body` runs on all ranks, and adds the same cases on all. Returns what `main` returns.
[[nodiscard]] int run_benchmark(int argc, char** argv, const std::string& name,
                                const std::function<void(const Setting&, Results&)>& body);

}  // namespace cartwright::bench
