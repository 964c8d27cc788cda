// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/describe.hpp>
#include <cartwright/plan/step.hpp>

#include <string>
#include <utility>
#include <vector>

namespace cartwright::plan::validation {

/// Faults, of which no reader wants thousands.
class FaultList {
 public:
  void add(int rank, const Step& step, const std::string& what) {
    if (texts_.size() < most)
      texts_.push_back("rank " + std::to_string(rank) + ", `" + describe(step) + "`: " + what);
  }
  void add(std::string what) {
    if (texts_.size() < most) texts_.push_back(std::move(what));
  }
  std::vector<std::string> take() { return std::move(texts_); }
  [[nodiscard]] bool any() const { return !texts_.empty(); }

 private:
  static constexpr std::size_t most = 20;
  std::vector<std::string> texts_;
};

}  // namespace cartwright::plan::validation
