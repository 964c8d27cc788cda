// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace cartwright::bench {

/// The middle and the spread of samples: half of them lie between the quartiles.
struct Summary {
  double median = 0.0;
  double lower_quartile = 0.0;
  double upper_quartile = 0.0;
};

/// Linear interpolation between order statistics. Zeros for no samples.
[[nodiscard]] Summary summarize(std::span<const double> samples);

/// Of the ratios ours[i] / peer[i]: samples of the same round, which met the same machine.
[[nodiscard]] Summary summarize_ratios(std::span<const double> ours, std::span<const double> peer);

}  // namespace cartwright::bench
