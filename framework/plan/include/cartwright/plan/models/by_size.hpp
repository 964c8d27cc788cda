// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/cuts.hpp>

#include <utility>
#include <vector>

namespace cartwright::plan {

/// A parameter of a machine that may depend on the size of a message: a constant, or points between
/// which it is interpolated linearly in bytes, and before and after which it stays what it is
/// there.
class BySize {
 public:
  BySize(double constant = 0.0) : points_{{0, constant}} {}  // NOLINT(google-explicit-constructor)
  /// Points (bytes, value), ascending in bytes; at least one. Throws std::invalid_argument.
  explicit BySize(std::vector<std::pair<Count, double>> points);

  [[nodiscard]] double at(Count bytes) const;
  [[nodiscard]] bool is_constant() const { return points_.size() == 1; }
  [[nodiscard]] const std::vector<std::pair<Count, double>>& points() const { return points_; }

 private:
  std::vector<std::pair<Count, double>> points_;
};

}  // namespace cartwright::plan
