// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/segment.hpp>
#include <cartwright/comm/transport/shared_access.hpp>
#include <cartwright/rt/aligned_memory.hpp>
#include <cstddef>

namespace cartwright::comm {

/// A segment whose members are threads of this process: for tests of what
/// stands on segments.
class ThreadSegment {
 public:
  ThreadSegment(int members, std::size_t bytes_each);

  /// What a member sees. The segment must outlive it.
  [[nodiscard]] SegmentView view(int member) const;

 private:
  int members_;
  std::size_t bytes_each_;
  rt::AlignedMemory memory_;
};

}  // namespace cartwright::comm
