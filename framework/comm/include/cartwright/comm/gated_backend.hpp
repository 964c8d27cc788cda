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
  enum class Gate { always, on_demand };

  /// Both must outlive this; `gate` polls the progress engine while it waits.
  GatedBackend(Backend& inner, Backend& gate, Gate when = Gate::always)
      : inner_(&inner), gate_(&gate), is_always_(when == Gate::always) {}

  /// On demand: as long as anybody keeps what this returns, the ranks meet. Local, but all ranks
  /// ask for it, and let it go, between the same calls.
  [[nodiscard]] std::shared_ptr<const void> demand() {
    auto demand = demand_.lock();
    if (!demand) demand_ = demand = std::make_shared<const bool>(true);
    return demand;
  }

  [[nodiscard]] std::string_view name() const noexcept override { return inner_->name(); }
  void run(const Call& call) override {
    if (!is_always_ && demand_.expired()) return inner_->run(call);
    gate_->run({.operation = plan::Operation::barrier, .site = call.site});
    if (call.operation != plan::Operation::barrier) inner_->run(call);
  }
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Call& call) override {
    return inner_->prepare(call);
  }

 private:
  Backend* inner_;
  Backend* gate_;
  bool is_always_;
  std::weak_ptr<const void> demand_;
};

}  // namespace cartwright::comm
