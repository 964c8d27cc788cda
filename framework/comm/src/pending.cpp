// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/pending.hpp>
#include <cartwright/comm/pending_set.hpp>
#include <utility>

#include "attempt.hpp"

namespace cartwright::comm {

namespace {

/// An operation, and what comes after it.
class Continued final : public rt::Operation {
 public:
  Continued(std::unique_ptr<rt::Operation> first, std::function<void()> continuation)
      : first_(std::move(first)), continuation_(std::move(continuation)) {}

  bool advance() override {
    if (!is_over_) is_over_ = first_->advance();
    if (!is_over_) return false;
    // Once, also if it throws: what is over must not be advanced again.
    if (const auto continuation = std::exchange(continuation_, nullptr)) continuation();
    return true;
  }
  void awaited() override { first_->awaited(); }
  [[nodiscard]] std::uint64_t moves() const noexcept override { return first_->moves(); }
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override { return first_->wait_site(); }

 private:
  std::unique_ptr<rt::Operation> first_;
  std::function<void()> continuation_;
  bool is_over_ = false;
};

}  // namespace

Pending Pending::then(std::function<void()> continuation) && {
  if (is_complete()) {
    continuation();
    return std::move(*this);
  }
  request_.withdraw();
  return {*engine_, std::make_unique<Continued>(std::move(operation_), std::move(continuation)),
          std::move(keep_)};
}

std::optional<rt::Error> Pending::attempt_wait() noexcept {
  return attempt_to(request_, [this] { wait(); });
}

std::optional<rt::Error> Pending::attempt_test() noexcept {
  return attempt_to(request_, [this] { test(); });
}

std::size_t PendingSet::add(Pending pending) {
  const std::size_t number = first_ + all_.size();
  all_.emplace_back(
      std::move(pending).then([complete = complete_, number] { complete->push_back(number); }));
  ++left_;
  return number;
}

std::optional<std::size_t> PendingSet::take() {
  if (complete_->empty()) return std::nullopt;
  const std::size_t number = complete_->front();
  complete_->pop_front();
  all_[number - first_].reset();  // it is complete: what it kept alive goes
  for (; !all_.empty() && !all_.front(); ++first_) all_.pop_front();
  --left_;
  return number;
}

std::optional<std::size_t> PendingSet::test_any() {
  if (complete_->empty()) engine_->poll();
  return take();
}

std::optional<std::size_t> PendingSet::wait_any() {
  if (left_ == 0) return std::nullopt;
  if (complete_->empty())
    engine_->wait_until([this] { return !complete_->empty(); }, *all_.front()->operation_);
  return take();
}

void PendingSet::wait_all() {
  while (wait_any()) {
  }
}

}  // namespace cartwright::comm
