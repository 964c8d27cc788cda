// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <vector>

namespace cartwright::bench {

/// From here on this process runs on one processor: number `which` of those it may use, counted
/// round and round. Returns the processor's number.
int stay_on_processor(int which);

/// How many processors this process may use.
[[nodiscard]] int processors();

/// Processes that do nothing but compute on one processor, and so take it from others there, as
/// another program on a node does. They end with this object or this process.
class BusyNeighbours {
 public:
  BusyNeighbours(int count, int processor);
  BusyNeighbours(const BusyNeighbours&) = delete;
  BusyNeighbours& operator=(const BusyNeighbours&) = delete;
  ~BusyNeighbours();

 private:
  std::vector<pid_t> children_;
};

}  // namespace cartwright::bench
