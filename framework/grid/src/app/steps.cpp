// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/steps.hpp>

#include "step_loop.hpp"

namespace cartwright::grid {

Steps::Steps(Run& run, std::vector<FieldBase*> fields)
    : loop_(std::make_unique<StepLoop>(run, std::move(fields))) {}
Steps::Steps(Steps&&) noexcept = default;
Steps::~Steps() = default;

Steps& Steps::stable_below(double largest, const std::string& scheme) {
  loop_->limit(largest, scheme);
  return *this;
}

double Steps::dt() {
  return loop_->time_step();
}

void Steps::stop(const std::string& reason) {
  loop_->stop(reason.empty() ? "the solver asked for it" : reason);
}

Steps::Iterator Steps::begin() {
  loop_->begin();
  return Iterator(loop_.get());
}

Steps::Iterator::~Iterator() noexcept(false) {
  if (loop_ != nullptr) loop_->leave();
}

Step Steps::Iterator::operator*() const {
  return loop_->current();
}

Steps::Iterator& Steps::Iterator::operator++() {
  loop_->advance();
  return *this;
}

bool Steps::Iterator::at_end() const {
  return loop_->at_end();
}

}  // namespace cartwright::grid
