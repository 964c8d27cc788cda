// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backends/backend.hpp>
#include <cartwright/rt/request.hpp>
#include <memory>

namespace cartwright::comm {

/// A collective by which ranks agree while others go on: all begin it between the same calls, and
/// wait for it between the same later ones; then all hold the same bytes, and decide alike.
class BackgroundCollective {
 public:
  /// The call's memory must stay until it is over.
  void begin(Backend& messages, rt::ProgressEngine& engine, const Call& call) {
    collective_ = messages.prepare(call);
    collective_->start();
    request_ = rt::Request(engine, *collective_);
  }
  [[nodiscard]] bool is_over() const noexcept { return request_.is_complete(); }
  void wait() {
    request_.wait();
    collective_.reset();
  }

 private:
  std::unique_ptr<Prepared> collective_;  // declared first: the request is gone before it
  rt::Request request_;
};

}  // namespace cartwright::comm
