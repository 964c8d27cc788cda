// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/pending.hpp>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>

namespace cartwright::comm {

/// Many collectives under way, of which those that are complete are taken as they come: each wait
/// costs as much as a poll, however many there are. Waits for all when destroyed.
class PendingSet {
 public:
  explicit PendingSet(rt::ProgressEngine& engine) : engine_(&engine) {}

  /// The number of what is added: 0, 1, 2, …
  std::size_t add(Pending pending);
  [[nodiscard]] std::size_t size() const noexcept { return left_; }  ///< not taken yet
  /// The number of one that is complete, each once; in the order in which they were completed.
  /// Nothing when all have been taken.
  [[nodiscard]] std::optional<std::size_t> wait_any();
  /// The same without waiting: polls once. Nothing: none at present.
  [[nodiscard]] std::optional<std::size_t> test_any();
  void wait_all();

 private:
  [[nodiscard]] std::optional<std::size_t> take();

  rt::ProgressEngine* engine_;
  std::shared_ptr<std::deque<std::size_t>> complete_ = std::make_shared<std::deque<std::size_t>>();
  std::deque<std::optional<Pending>> all_;  // from the oldest that isn't taken on
  std::size_t first_ = 0;                   // its number
  std::size_t left_ = 0;
};

}  // namespace cartwright::comm
