// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/models/time.hpp>

#include <algorithm>
#include <cstdint>
#include <queue>
#include <vector>

namespace cartwright::plan::simulation {

/// A bandwidth that the messages in transfer share evenly: each of j gets B(j) / j. What one
/// message got since the channel began is the same for all; a message is through when that reaches
/// its own mark. So a message that comes or goes costs O(log j).
class Channel {
 public:
  explicit Channel(const Concurrency& bandwidth) : bandwidth_(&bandwidth) {}

  void enter(Picoseconds now, std::uint32_t message, Count bytes, std::uint64_t order) {
    advance(now);
    messages_.push({got_ + static_cast<double>(bytes), order, message});
  }

  [[nodiscard]] bool empty() const { return messages_.empty(); }
  /// When the next message is through.
  [[nodiscard]] Picoseconds next_exit() const {
    return since_ + picoseconds(std::max((messages_.top().mark - got_) / rate(), 0.0));
  }

  /// Takes out the message that is through at next_exit().
  std::uint32_t exit(Picoseconds now) {
    const Transfer done = messages_.top();
    messages_.pop();
    since_ = now;
    got_ = messages_.empty() ? 0.0 : done.mark;  // begins anew: sums don't grow without end
    return done.message;
  }

 private:
  struct Transfer {
    double mark = 0.0;
    std::uint64_t order = 0;  // breaks ties
    std::uint32_t message = 0;
    bool operator<(const Transfer& other) const {  // the least is on top
      return mark != other.mark ? mark > other.mark : order > other.order;
    }
  };

  // Bytes per second that each message gets.
  [[nodiscard]] double rate() const {
    const auto count = static_cast<int>(messages_.size());
    return bandwidth_->at(count) / count;
  }

  void advance(Picoseconds now) {
    if (!messages_.empty()) got_ += seconds(now - since_) * rate();
    since_ = now;
  }

  const Concurrency* bandwidth_;
  std::priority_queue<Transfer> messages_;
  double got_ = 0.0;  // bytes, by each message
  Picoseconds since_ = 0;
};

}  // namespace cartwright::plan::simulation
