// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/calls/call_text.hpp>
#include <cartwright/comm/persistent.hpp>
#include <cartwright/rt/error.hpp>
#include <utility>

#include "attempt.hpp"

namespace cartwright::comm {

Persistent& Persistent::operator=(Persistent&& other) noexcept {
  request_ = std::move(other.request_);  // waits for the old one while its collective still lives
  prepared_ = std::move(other.prepared_);
  keep_ = std::move(other.keep_);
  engine_ = other.engine_;
  return *this;
}

void Persistent::start(CallSite site) {
  if (!prepared_) return;
  if (!request_.test()) {
    throw rt::internal_failure(
        "a persistent collective was started at " + describe(site) + " while it is under way",
        "Wait for it before it is started again.");
  }
  prepared_->start();
  request_ = rt::Request(*engine_, *prepared_);
}

void Persistent::wait() {
  request_.wait();
}

std::optional<rt::Error> Persistent::attempt_start(CallSite site) noexcept {
  return attempt_to([&] { start(site); });
}

std::optional<rt::Error> Persistent::attempt_wait() noexcept {
  return attempt_to(request_, [this] { wait(); });
}

}  // namespace cartwright::comm
