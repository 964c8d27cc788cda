// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::plan {

/// What the ranks do in one stage of an allreduce by recursive multiplying (Rüfenacht 2020, chapter
/// 5).
enum class StageKind : std::uint8_t {
  factor,    ///< aF: groups of F ranks exchange all to all
  collapse,  ///< cTmM: of the first T ranks each M fold into their last
  expand,    ///< eTmM: and get the result back
  merge,     ///< mRgGaF: a factor stage of G groups, with R ranks more that send to one group each
  inverse_merge,  ///< nRgGaF: a factor stage whose G groups serve these R ranks
};

struct Stage {
  StageKind kind = StageKind::factor;
  int factor = 0;      ///< F, of factor, merge and inverse_merge
  int threshold = 0;   ///< T, of collapse and expand
  int base = 0;        ///< M, of collapse and expand
  int remainders = 0;  ///< R, of merge and inverse_merge
  int groups = 0;      ///< G, of merge and inverse_merge
  friend bool operator==(const Stage&, const Stage&) = default;
};

/// A schedule in the notation of Rüfenacht 2020, section 5.4: `a4,a4`, `c6m2,a2,a2,e6m2`,
/// `m1g2a3,n1g3a2`.
using Stages = std::vector<Stage>;

/// Reads the notation. Throws std::invalid_argument that quotes the stage that isn't one.
Stages parse_stages(std::string_view text);
std::string to_string(const Stages& stages);

/// One factor stage for each factor.
Stages factor_stages(std::span<const int> factors);
/// The remaining ranks ride along with the first and the last of at least two factors.
Stages merged_stages(std::span<const int> factors, int remainders);
/// Factor stages between a collapse and an expansion.
Stages collapsed_stages(int threshold, int base, std::span<const int> factors);

/// How many ranks the stages are for. Throws std::invalid_argument when they contradict each other.
int ranks_of(const Stages& stages);

}  // namespace cartwright::plan
