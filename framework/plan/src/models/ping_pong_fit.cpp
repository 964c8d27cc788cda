// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/models/ping_pong_fit.hpp>
#include <vector>

namespace cartwright::plan::fits {

HockneyFit fit_ping_pong(std::span<const RoundTrip> round_trips, Count largest_small) {
  std::vector<Point> small;
  std::vector<Point> large;
  for (const auto& [bytes, time] : round_trips)
    (bytes <= largest_small ? small : large).push_back({static_cast<double>(bytes), time});
  HockneyFit fit;
  if (small.size() < 2 || large.size() < 2) {
    fit.refusal = "at least two small and two large messages are needed";
    return fit;
  }
  fit.small = fit_line(small);
  fit.large = fit_line(large);
  fit.alpha = fit.small.intercept / 2.0;
  fit.beta = fit.large.slope / 2.0;
  if (fit.alpha <= 0.0)
    fit.refusal =
        "the latency comes out negative: small messages are too few "
        "or too noisy";
  if (fit.beta <= 0.0) fit.refusal = "large messages don't take longer than smaller ones";
  return fit;
}

double pairs_bandwidth(int pairs, Count bytes, double round_trip) {
  return 2.0 * pairs * static_cast<double>(bytes) / round_trip;
}

}  // namespace cartwright::plan::fits
