// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backend.hpp>
#include <cstddef>
#include <memory>
#include <vector>

namespace cartwright::comm {

/// Collectives in stages, each on a communicator of its own, of as many segments each: a segment
/// enters a stage when it has left the one before. Every rank of a communicator starts its segments
/// in the same order, so nothing can deadlock; for that a relay begins only when the one before it
/// on the same communicators is done.
class Relay final : public Prepared {
 public:
  using Segments = std::vector<std::unique_ptr<Prepared>>;

  explicit Relay(std::shared_ptr<const bool> former_is_done)
      : former_is_done_(std::move(former_is_done)) {}

  /// A stage in which this rank takes no part is left out: it has nothing to wait for.
  void add_stage(Segments segments) { stages_.push_back({std::move(segments)}); }
  /// Memory for what lies between the stages; lives as long as this. 64-byte aligned.
  [[nodiscard]] std::byte* memory(std::size_t bytes);
  [[nodiscard]] std::shared_ptr<const bool> is_done() const { return is_done_; }

  void start() override;
  bool advance() override;
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override {
    return {"a collective in stages"};
  }

 private:
  struct Stage {
    Segments segments;
    std::size_t started = 0;
    std::size_t done = 0;
  };
  /// Moves a stage that `arrived` segments have reached.
  static void advance(Stage& stage, std::size_t arrived);

  struct Line {
    alignas(64) std::byte bytes[64];
  };
  std::shared_ptr<const bool> former_is_done_;
  std::shared_ptr<bool> is_done_ = std::make_shared<bool>(false);
  std::vector<std::vector<Line>> memory_;
  std::vector<Stage> stages_;  // behind the memory: gone before it
};

}  // namespace cartwright::comm
