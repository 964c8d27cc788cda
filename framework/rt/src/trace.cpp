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
  totals_[static_cast<std::size_t>(id.value)].bytes += bytes;
  record(id, begin, end, end - begin);
}

Ticks Trace::close(RegionId id, const Mark& mark) noexcept {
  const Ticks end = now();
  if (mark.is_told && listener_.end != nullptr) [[unlikely]]
    listener_.end();
  record(id, mark.begin, end, end - mark.begin - (accounted_ - mark.accounted));
  return end;
}

void Trace::record(RegionId id, Ticks begin, Ticks end, Ticks::duration own) noexcept {
  Total& total = totals_[static_cast<std::size_t>(id.value)];
  total.seconds += std::chrono::duration<double>(own).count();
  total.count += 1;
  accounted_ += own;
  if (spans_.capacity() == 0) return;
  if (spans_.size() == spans_.capacity()) {
    ++dropped_;
    return;
  }
  // The timeline begins where the ranks' clocks were aligned.
  spans_.push_back({id.value, std::max(begin, origin_), std::max(end, origin_)});
}

}  // namespace cartwright::rt
