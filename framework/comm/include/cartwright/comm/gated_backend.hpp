// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backend.hpp>
#include <memory>
#include <string_view>

namespace cartwright::comm {

/// Blocking collectives of a backend that doesn't poll while it blocks (the MPI library's), beside
/// others that need polling. A rank that blocked at once could keep a peer from ever coming, which
/// still waits for a nonblocking collective that this rank should pass on. So the ranks meet first,
/// in a barrier that polls: nobody waits for anything else any more once all are there.
class GatedBackend final : public Backend {
 public:
  /// Both must outlive this; `gate` polls the progress engine while it waits.
  GatedBackend(Backend& inner, Backend& gate) : inner_(&inner), gate_(&gate) {}

  [[nodiscard]] std::string_view name() const noexcept override { return inner_->name(); }
  void run(const Call& call) override {
    gate_->run({.operation = plan::Operation::barrier, .site = call.site});
    if (call.operation != plan::Operation::barrier) inner_->run(call);
  }
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Call& call) override {
    return inner_->prepare(call);
  }

 private:
  Backend* inner_;
  Backend* gate_;
};

}  // namespace cartwright::comm
