// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/iterations.hpp>

#include "iteration_course.hpp"
#include "loop_iterator.hpp"

namespace cartwright::grid {

void Iteration::residual(double norm) {  // NOLINT(readability-make-member-function-const)
  course->add(number, norm);
}

bool Iteration::converged() const {
  return course->is_converged();
}

Iterations::Iterations(Run& run, std::vector<FieldBase*> fields) {
  auto course = std::make_unique<IterationCourse>(run);
  course_ = course.get();
  loop_ = std::make_unique<StepLoop>(run, std::move(fields), std::move(course));
}
Iterations::Iterations(Iterations&&) noexcept = default;
Iterations::~Iterations() = default;

Iterations& Iterations::begin_from(double residual, double enough) {
  course_->begin_from(residual, enough);
  return *this;
}

void Iterations::stop(const std::string& reason) {
  loop_->stop(reason.empty() ? "the solver asked for it" : reason);
}

LoopIterator<Iteration> Iterations::begin() {
  loop_->begin();
  return {loop_.get(), course_};
}

template class LoopIterator<Iteration>;

}  // namespace cartwright::grid
