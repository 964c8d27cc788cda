// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/trace.hpp>
#include <iterator>

namespace cartwright::rt {

RegionId Trace::region(const std::string& name) {
  const auto found = std::find_if(totals_.begin(), totals_.end(),
                                  [&](const Total& total) { return total.name == name; });
  if (found != totals_.end()) return {static_cast<int>(std::distance(totals_.begin(), found))};
  totals_.push_back({name, 0.0, 0, 0});
  return {static_cast<int>(totals_.size()) - 1};
}

void Trace::record_spans(std::size_t capacity) {
  spans_.reserve(capacity);
}

void Trace::add(RegionId id, Ticks begin, Ticks end, std::int64_t bytes) noexcept {
  Total& total = totals_[static_cast<std::size_t>(id.value)];
  total.seconds += seconds_between(begin, end);
  total.count += 1;
  total.bytes += bytes;
  if (spans_.capacity() == 0) return;
  if (spans_.size() == spans_.capacity()) {
    ++dropped_;
    return;
  }
  spans_.push_back({id.value, begin, end});
}

}  // namespace cartwright::rt
