// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/operation.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cartwright::comm::test {

using Numbers = std::vector<std::int64_t>;

/// A collective of 64-bit integers (sums, where it reduces), seen by one rank. Blocks that belong
/// to ranks are `count` long.
struct Case {
  plan::Operation operation = plan::Operation::barrier;
  int ranks = 1;
  int me = 0;
  plan::Count count = 0;
  int root = 0;
  plan::Place place = plan::Place::separate;

  [[nodiscard]] plan::Problem problem() const {
    return {.operation = operation, .ranks = ranks, .root = {root}, .elements = count};
  }
};

/// Only a root may be in place where there is one.
[[nodiscard]] plan::Place place_of(plan::Operation operation, bool in_place, int me, int root);

/// What a rank has before, and has to have after.
class Data {
 public:
  explicit Data(const Case& call) { refill(call); }

  /// As before the collective.
  void refill(const Case& call);
  [[nodiscard]] const std::byte* input() const {
    return reinterpret_cast<const std::byte*>(input_.data());
  }
  [[nodiscard]] std::byte* output() { return reinterpret_cast<std::byte*>(output_.data()); }
  /// What is wrong after the collective; empty if nothing is.
  [[nodiscard]] std::string fault(const Case& call) const;

 private:
  Numbers input_, output_;
};

}  // namespace cartwright::comm::test
