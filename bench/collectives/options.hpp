// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/operation.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "../common/options.hpp"

namespace cartwright::bench {

/// What is measured, as the command line says.
struct CollectivesSelection {
  Options common;
  std::vector<plan::Operation> operations;
  std::vector<std::size_t> sizes;  ///< bytes of the larger buffer of a rank
  std::vector<std::string> backends;
  std::map<plan::Operation, std::string> algorithms;  ///< empty: as the backend chooses
  bool same = false;  ///< the MPI library is told to use the same algorithm, too
  double seconds = 0.5;
  int repeats = 5;  ///< of a cell that exceeds its limit
};

/// Throws an input error that says what is wrong.
[[nodiscard]] CollectivesSelection parse_collectives_options(int argc, const char* const* argv);
[[nodiscard]] std::string collectives_help();

/// Makes Open MPI use the algorithms that we do; to be called before MPI starts. Throws an input
/// error for those it hasn't got.
void ask_peer_for_the_same(const CollectivesSelection& selection);

}  // namespace cartwright::bench
