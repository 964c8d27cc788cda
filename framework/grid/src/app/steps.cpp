// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/steps.hpp>

#include "loop_iterator.hpp"
#include "time_course.hpp"

namespace cartwright::grid {

double Step::limit(double largest) {
  dt = course->limit_step(largest);
  return dt;
}

double Step::time_of(int number_in_turn) const {
  return course->time_at(number + number_in_turn - 1 - 1);
}

Steps::Steps(Run& run, std::vector<FieldBase*> fields) {
  auto course = std::make_unique<TimeCourse>(run);
  course_ = course.get();
  loop_ = std::make_unique<StepLoop>(run, std::move(fields), std::move(course));
}
Steps::Steps(Steps&&) noexcept = default;
Steps::~Steps() = default;

Steps& Steps::stable_below(double largest, const std::string& scheme) & {
  course_->limit(largest, scheme);
  return *this;
}

Steps Steps::stable_below(double largest, const std::string& scheme) && {
  course_->limit(largest, scheme);
  return std::move(*this);
}

Steps& Steps::adaptive() & {
  course_->adapt();
  return *this;
}

Steps Steps::adaptive() && {
  course_->adapt();
  return std::move(*this);
}

Steps& Steps::fused() & {
  course_->fuse();
  return *this;
}

Steps Steps::fused() && {
  course_->fuse();
  return std::move(*this);
}

double Steps::dt() {
  return course_->fixed_step();
}

void Steps::stop(const std::string& reason) {
  loop_->stop(reason.empty() ? "the solver asked for it" : reason);
}

LoopIterator<Step> Steps::begin() {
  loop_->begin();
  return {loop_.get(), course_};
}

template class LoopIterator<Step>;

}  // namespace cartwright::grid
