// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <string>
#include <vector>

#include "phases.hpp"

namespace matmul {

/// Collective. The spans of all ranks, by rank, on rank 0; elsewhere nothing.
[[nodiscard]] std::vector<std::vector<Span>> gather_spans(const cartwright::comm::Collectives& comm,
                                                          const std::vector<Span>& spans);

/// A picture (SVG) with one row a rank: what it did when. Many ranks are sampled evenly.
[[nodiscard]] std::string timeline_svg(const std::string& title,
                                       const std::vector<std::vector<Span>>& spans_of_ranks);

}  // namespace matmul
