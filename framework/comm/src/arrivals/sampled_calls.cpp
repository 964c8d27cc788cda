// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/arrivals/sampled_calls.hpp>

namespace cartwright::comm {

void SampledCalls::add(const Sample& sample) {
  if (!wants(sample.number)) return;
  const auto place = std::ranges::upper_bound(samples_, sample.number, {}, &Sample::number);
  samples_.insert(place, sample);
  while (samples_.size() > most) {
    stride_ *= 2;
    std::erase_if(samples_, [this](const Sample& kept) { return !wants(kept.number); });
  }
}

std::vector<SampledCalls::Sample> SampledCalls::of_stride(std::uint64_t stride) const {
  std::vector<Sample> kept;
  for (const Sample& sample : samples_)
    if (sample.number % stride == 0) kept.push_back(sample);
  return kept;
}

}  // namespace cartwright::comm
