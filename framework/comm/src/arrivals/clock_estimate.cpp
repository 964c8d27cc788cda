// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/arrivals/clock_estimate.hpp>
#include <span>

namespace cartwright::comm {

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t unknown_drift =
    50'000;                                  // ns per s: what crystals of computers are sold with
constexpr std::int64_t known_drift = 2'000;  // … of one that was measured: temperature

/// rate (ns per s) times duration (ns), without overflow for some 30 years.
std::int64_t gained(std::int64_t duration, std::int64_t rate) {
  return duration / second * rate + duration % second * rate / second;
}

std::int64_t magnitude(std::int64_t number) {
  return number < 0 ? -number : number;
}

}  // namespace

std::optional<ClockSample> RoundTrip::sample() const {
  const std::int64_t whole = came - left, there = answered - received;
  if (whole < 0 || there < 0 || there > whole || reference_error < 0) return std::nullopt;
  // The reference's middle, less the local one; halves are taken of differences: no overflow.
  const std::int64_t offset = received - left - (whole - there) / 2;
  return ClockSample{left + whole / 2, offset, (whole - there + 1) / 2 + reference_error};
}

void ClockEstimate::add(const ClockSample& sample) {
  constexpr std::int64_t slack = 1000;
  if (!samples_.empty()) {
    const std::int64_t off = reference(sample.at) - sample.at - sample.offset;
    const bool contradicts = magnitude(off) > sample.error + error(sample.at) + slack;
    // Time doesn't run backwards by itself either.
    if (contradicts || sample.at < samples_.back().at) {
      samples_.clear();
      ++jumps_;
    }
  }
  is_same_ = is_same_ && magnitude(sample.offset) <= sample.error;
  if (samples_.size() == kept) samples_.erase(samples_.begin());
  samples_.push_back(sample);
  fit();
}

std::int64_t ClockEstimate::age_of(const ClockSample& sample, std::int64_t local) const {
  return magnitude(local - sample.at);
}

void ClockEstimate::fit() {
  const auto by_error = [](const ClockSample& a, const ClockSample& b) {
    return a.error < b.error;
  };
  const std::span<const ClockSample> all(samples_);
  const auto half = all.size() / 2;
  drift_ = 0;
  wander_ = unknown_drift;
  if (half > 0) {
    const ClockSample& early = *std::ranges::min_element(all.first(half), by_error);
    const ClockSample& late = *std::ranges::min_element(all.subspan(half), by_error);
    const std::int64_t apart = (late.at - early.at) / 1'000'000;  // ms
    const std::int64_t doubt = apart > 0 ? (late.error + early.error) * 1000 / apart : second;
    if (apart >= 1000 && doubt < unknown_drift / 2) {
      drift_ = (late.offset - early.offset) * 1000 / apart;
      wander_ = known_drift + doubt;
    }
  }
  const std::int64_t now = all.back().at;
  best_ = *std::ranges::min_element(all, [&](const ClockSample& a, const ClockSample& b) {
    return a.error + gained(age_of(a, now), wander_) < b.error + gained(age_of(b, now), wander_);
  });
}

std::int64_t ClockEstimate::reference(std::int64_t local) const {
  if (is_same_ || samples_.empty()) return local;
  return local + best_.offset + gained(local - best_.at, drift_);
}

std::int64_t ClockEstimate::error(std::int64_t local) const {
  if (is_same_ || samples_.empty()) return 0;
  return best_.error + gained(age_of(best_, local), wander_);
}

}  // namespace cartwright::comm
