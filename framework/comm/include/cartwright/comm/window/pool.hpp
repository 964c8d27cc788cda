// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

namespace cartwright::comm {

/// Objects that are used again: none is made once there are as many as are ever needed at a time.
/// They never move.
template <class T>
class Pool {
 public:
  /// One that was given back is as it was then.
  [[nodiscard]] T& take() {
    if (free_.empty()) return all_.emplace_back();
    T* const object = free_.back();
    free_.pop_back();
    return *object;
  }
  void give_back(T& object) { free_.push_back(&object); }
  /// Of all that were ever made, whether they are in use or not.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (T& object : all_) visit(object);
  }

 private:
  std::deque<T> all_;
  std::vector<T*> free_;
};

}  // namespace cartwright::comm
