// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace cartwright::mapping {

/// When to stop repeating a measurement (Karlsson 2012, 4.2).
struct RepetitionRule {
  int warm_up = 2;  ///< samples that are dropped
  int fewest = 10;
  int most = 400;
  double width = 0.05;   ///< half the 95 % confidence interval of the mean, relative to the mean
  double seconds = 0.2;  ///< for one measurement; the fewest are taken in any case
  double total_seconds = 120.0;  ///< after which all measurements take the fewest

  [[nodiscard]] static RepetitionRule quick() { return {1, 5, 60, 0.1, 0.03, 20.0}; }
};

/// Samples at most five interquartile ranges above the median, in seconds: what an interrupted
/// rank adds says nothing of the machine.
struct SampleSummary {
  int count = 0;     ///< of all
  int outliers = 0;  ///< that were left out
  double mean = 0.0;
  double half_width =
      0.0;  ///< of the 95 % confidence interval of the mean; infinite for one sample
  double median = 0.0, lower = 0.0, upper = 0.0;  ///< quartiles of all samples
};
[[nodiscard]] SampleSummary summarise(std::span<const double> samples);

/// The 97.5 % quantile of Student's t, within 0.5 % from 3 degrees of freedom on.
[[nodiscard]] double student_quantile(int degrees);

/// True when the interval is narrow enough.
[[nodiscard]] bool is_settled(const SampleSummary& summary, const RepetitionRule& rule);
/// How many samples to take next; 0: enough. Depends on its arguments only, so that ranks that give
/// the same ones agree. `seconds`: what the samples took so far, `total`: all measurements.
[[nodiscard]] int samples_to_take(std::span<const double> samples, double seconds, double total,
                                  const RepetitionRule& rule);

}  // namespace cartwright::mapping
