// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backend.hpp>
#include <cartwright/rt/request.hpp>
#include <memory>
#include <string_view>

namespace cartwright::comm {

/// Blocking collectives of a backend that doesn't poll while it blocks, carried out as nonblocking
/// ones that are waited for: everything else goes on meanwhile.
class PolledBackend final : public Backend {
 public:
  /// Both must outlive this.
  PolledBackend(Backend& inner, rt::ProgressEngine& engine) : inner_(&inner), engine_(&engine) {}

  [[nodiscard]] std::string_view name() const noexcept override { return inner_->name(); }
  void run(const Call& call) override {
    const auto collective = prepare(call);
    collective->start();
    rt::Request(*engine_, *collective).wait();
  }
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Call& call) override {
    return inner_->prepare(call);
  }

 private:
  Backend* inner_;
  rt::ProgressEngine* engine_;
};

}  // namespace cartwright::comm
