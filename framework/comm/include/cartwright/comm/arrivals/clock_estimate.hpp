// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cartwright::comm {

/// What one round trip tells: at local time `at` the reference clock is `offset` ahead, give or
/// take `error`. All in ns.
struct ClockSample {
  std::int64_t at = 0;
  std::int64_t offset = 0;
  std::int64_t error = 0;
};

/// When a question left and its answer came, by the local clock, and when it was received and
/// answered, by the reference, which knows itself to `reference_error`.
struct RoundTrip {
  std::int64_t left = 0, received = 0, answered = 0, came = 0;
  std::int64_t reference_error = 0;

  /// Nothing where the times make no sense: a clock has jumped on the way.
  [[nodiscard]] std::optional<ClockSample> sample() const;
};

/// Offset and drift of a clock against the reference, from round trips: the one with the least
/// error, which grows with age, counts; two that are far apart give the drift (the filter of
/// Mills, RFC 5905). A sample that contradicts the estimate means that a clock has jumped: what was
/// known before is forgotten. No MPI in here.
class ClockEstimate {
 public:
  /// `may_be_the_same`: both ranks are on one node. Then they read one clock as long as no sample
  /// says otherwise.
  explicit ClockEstimate(bool may_be_the_same = false) : is_same_(may_be_the_same) {}

  void add(const ClockSample& sample);
  /// A local time on the reference clock.
  [[nodiscard]] std::int64_t reference(std::int64_t local) const;
  /// How far off that may be.
  [[nodiscard]] std::int64_t error(std::int64_t local) const;
  [[nodiscard]] std::int64_t drift() const { return drift_; }  ///< ns per s
  [[nodiscard]] int jumps() const { return jumps_; }

 private:
  static constexpr std::size_t kept = 16;

  [[nodiscard]] std::int64_t age_of(const ClockSample& sample, std::int64_t local) const;
  void fit();

  std::vector<ClockSample> samples_;  // the oldest first
  ClockSample best_{};
  std::int64_t drift_ = 0;
  std::int64_t wander_;  // ns per s that the drift may be off; set by fit
  bool is_same_;
  int jumps_ = 0;
};

}  // namespace cartwright::comm
