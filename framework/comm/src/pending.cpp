// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/pending.hpp>
#include <cartwright/comm/pending_set.hpp>

namespace cartwright::comm {

namespace {

/// An operation, and what comes after it.
class Continued final : public rt::Operation {
 public:
  Continued(std::unique_ptr<rt::Operation> first, std::function<void()> continuation)
      : first_(std::move(first)), continuation_(std::move(continuation)) {}

  bool advance() override {
    if (!first_->advance()) return false;
    continuation_();
    return true;
  }
  void awaited() override { first_->awaited(); }
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override { return first_->wait_site(); }

 private:
  std::unique_ptr<rt::Operation> first_;
  std::function<void()> continuation_;
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

std::size_t PendingSet::add(Pending pending) {
  const std::size_t number = all_.size();
  all_.push_back(
      std::move(pending).then([complete = complete_, number] { complete->push_back(number); }));
  ++left_;
  return number;
}

std::optional<std::size_t> PendingSet::take() {
  if (complete_->empty()) return std::nullopt;
  const std::size_t number = complete_->front();
  complete_->pop_front();
  all_[number].wait();  // it is complete: what it kept alive goes
  all_[number] = Pending();
  --left_;
  return number;
}

std::optional<std::size_t> PendingSet::test_any() {
  if (complete_->empty()) engine_->poll();
  return take();
}

std::optional<std::size_t> PendingSet::wait_any() {
  if (left_ == 0) return std::nullopt;
  while (oldest_ < all_.size() && all_[oldest_].operation_ == nullptr) ++oldest_;
  if (complete_->empty())
    engine_->wait_until([this] { return !complete_->empty(); }, *all_[oldest_].operation_);
  return take();
}

void PendingSet::wait_all() {
  while (wait_any()) {
  }
}

}  // namespace cartwright::comm
