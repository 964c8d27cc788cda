// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../common/options.hpp"

namespace cartwright::bench {

/// What is measured, as the command line says.
struct ArrivalsSelection {
  Options common;
  std::vector<std::size_t> sizes;     ///< bytes
  std::vector<std::string> patterns;  ///< see PatternMaker
  std::string trace;                  ///< a file; empty: none
  std::string plot;                   ///< the same
  double spread = 0;                  ///< s; 0: twice what MPI_Reduce takes when all come together
  std::size_t rounds = 0;
  std::uint64_t seed = 1;
  bool all_algorithms = true;  ///< every algorithm of the catalogue, too
};

/// Throws an input error that says what is wrong.
[[nodiscard]] ArrivalsSelection parse_arrivals_options(int argc, const char* const* argv);
[[nodiscard]] std::string arrivals_help();

}  // namespace cartwright::bench
