// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/window/epoch_request.hpp>
#include <cartwright/comm/window/window_core.hpp>
#include <utility>

namespace cartwright::comm {

/// An epoch that is open; move-only. One that leaves its scope open throws rt::Error.
class [[nodiscard]] OpenEpoch {
 public:
  OpenEpoch(WindowCore& core, Epoch& epoch) : core_(&core), epoch_(&epoch) {}
  OpenEpoch(const OpenEpoch&) = delete;
  OpenEpoch& operator=(const OpenEpoch&) = delete;
  OpenEpoch(OpenEpoch&& other) noexcept
      : core_(other.core_), epoch_(std::exchange(other.epoch_, nullptr)) {}
  OpenEpoch& operator=(OpenEpoch&& other) noexcept(false) {
    require_closed();
    core_ = other.core_;
    epoch_ = std::exchange(other.epoch_, nullptr);
    return *this;
  }
  ~OpenEpoch() noexcept(false) { require_closed(); }

  [[nodiscard]] bool is_open() const noexcept { return epoch_ != nullptr; }

 protected:
  [[nodiscard]] Epoch& epoch() const {
    if (epoch_ == nullptr) refuse_use();
    return *epoch_;
  }
  [[nodiscard]] EpochRequest close_it(const char* what, CallSite site);
  [[nodiscard]] WindowCore& core() const noexcept { return *core_; }

 private:
  [[noreturn]] void refuse_use() const;
  void require_closed() const {
    if (epoch_ != nullptr) refuse_end();
  }
  void refuse_end() const;

  WindowCore* core_;
  Epoch* epoch_;
};

}  // namespace cartwright::comm
