// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/schema.hpp>
#include <optional>
#include <string>

#include "engines.hpp"

namespace cartwright::rt {
class Deck;
}

namespace matmul {

/// Where a matrix comes from.
struct Source {
  std::string kind = "random";
  long long seed = 1;
  std::string file, dataset;
};

enum class Check { none, residual, pdgemm };

/// Section `matmul` of a deck.
struct Options {
  std::optional<long long> rows, inner, columns;  ///< empty: from files
  Source a{}, b{"random", 2, {}, {}};
  Algorithm algorithm = Algorithm::summa;
  long long panel = Tuning{}.panel;
  int look_ahead = Tuning{}.look_ahead;
  long long segment = Tuning{}.segment;
  long long block = 64;  ///< pdgemm: rows and columns of a block
  int threads = 1;
  int repeat = 1;
  Check check = Check::residual;

  [[nodiscard]] Tuning tuning() const { return {panel, look_ahead, segment}; }
};

/// Section `output`.
struct OutputOptions {
  std::string directory;  ///< empty: out/ and the deck's name
  bool product = false;
  bool picture = true;
};

[[nodiscard]] cartwright::rt::Schema<Options> schema();
[[nodiscard]] cartwright::rt::Schema<OutputOptions> output_schema();

/// What a schema can't see; throws Deck::error. Without MPI.
void check_options(const cartwright::rt::Deck& deck, const Options& options);

}  // namespace matmul
