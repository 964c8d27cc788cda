// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/fit.hpp>
#include <span>
#include <string>

namespace cartwright::plan::fits {

/// One multicast: messages to `targets` ranks, one after the other without blocking, and one wait
/// for all of them. Seconds.
struct MulticastSample {
  int targets;
  double time;
};

/// The pipelined latency-bandwidth model for messages of one size.
struct PipelinedFit {
  double pipelining = 0.0;          ///< a_p
  double required = 0.0;            ///< a_r
  double residual = 0.0;            ///< root of the mean square of what the model misses
  double without_pipelining = 0.0;  ///< the same of the best b · a_r (latency-bandwidth)
  std::string refusal;              ///< why this is no model of the machine; empty if it is

  [[nodiscard]] bool physical() const { return refusal.empty(); }
  [[nodiscard]] double ratio() const { return pipelining / required; }  ///< c
};

/// A line through the minima of each number of targets: intercept a_p, slope a_r (Rüfenacht 2020,
/// 4.3). Refused with the reason: parameters that aren't positive, and fewer than two numbers of
/// targets.
PipelinedFit fit_multicast(std::span<const MulticastSample> samples);

}  // namespace cartwright::plan::fits
