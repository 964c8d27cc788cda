// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/cuts.hpp>
#include <cartwright/plan/models/fit.hpp>
#include <span>
#include <string>

namespace cartwright::plan::fits {

/// A message there and one of the same size back: bytes, and seconds for both.
struct RoundTrip {
  Count bytes;
  double time;
};

/// Hockney's parameters from round trips.
struct HockneyFit {
  double alpha = 0.0;   ///< s
  double beta = 0.0;    ///< s per byte
  Line small, large;    ///< through round trips over bytes: of small messages, and of large ones
  std::string refusal;  ///< why the numbers mean nothing; empty if they do

  [[nodiscard]] bool physical() const { return refusal.empty(); }
};

/// Two regressions (Karlsson 2012, 3.2): α is half the intercept over messages of at most
/// `largest_small` bytes, 2 β the slope over larger ones. The intercept underestimates a latency
/// whose curve bends below `largest_small`; what one small message takes is the measured truth.
HockneyFit fit_ping_pong(std::span<const RoundTrip> round_trips,
                         Count largest_small = Count{64} * 1024);

/// Bytes per second of `pairs` pairs that exchange messages of `bytes` at the same time: 2 j m /
/// RTT. The curve of these over j is a `Concurrency`.
double pairs_bandwidth(int pairs, Count bytes, double round_trip);

}  // namespace cartwright::plan::fits
