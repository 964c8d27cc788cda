// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/transport/thread_segment.hpp>
#include <cstring>

namespace cartwright::comm {

ThreadSegment::ThreadSegment(int members, std::size_t bytes_each)
    : members_(members), bytes_each_(in_lines(bytes_each)) {
  const std::size_t bytes = static_cast<std::size_t>(members) * bytes_each_;
  memory_ = rt::aligned_memory(bytes);
  std::memset(memory_.get(), 0, bytes);
}

SegmentView ThreadSegment::view(int member) const {
  SegmentView view;
  view.me = member;
  for (int i = 0; i < members_; ++i) {
    view.parts.emplace_back(memory_.get() + static_cast<std::size_t>(i) * bytes_each_, bytes_each_);
    view.memories.push_back({.process = 0, .is_mine = true});
  }
  return view;
}

}  // namespace cartwright::comm
