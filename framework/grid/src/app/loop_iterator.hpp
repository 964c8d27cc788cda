// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/loop_iterator.hpp>

#include "step_loop.hpp"

namespace cartwright::grid {

template <class Item>
LoopIterator<Item>::~LoopIterator() noexcept(false) {
  if (loop_ != nullptr) loop_->leave();
}

template <class Item>
Item LoopIterator<Item>::operator*() const {
  return course_->item(loop_->number(), loop_->time());
}

template <class Item>
LoopIterator<Item>& LoopIterator<Item>::operator++() {
  loop_->advance();
  return *this;
}

template <class Item>
bool LoopIterator<Item>::at_end() const {
  return loop_->at_end();
}

}  // namespace cartwright::grid
