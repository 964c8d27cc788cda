// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective_check.hpp"

#include <functional>
#include <string>
#include <vector>

namespace cartwright::plan::test {

/// Elements in each block, as many in all: no fault is noticed by a wrong length alone.
constexpr Count each = 2;

/// What became of schedules into which one fault each was put.
struct MutationReport {
  int rejected = 0;
  /// Not noticed, and no fault either: this rank sends the same messages with the same expressions
  /// in them and leaves the same in its output. Only of some changes; see may_be_harmless.
  int harmless = 0;
  /// Not noticed, in words.
  std::vector<std::string> missed;
};

/// Puts faults into an operation, one at a time: for each step of each rank, it is dropped,
/// doubled, swapped with the next step that depends on it, sent to or received from another rank,
/// made to read or write another slice, and combined on the other side. `check` says what is wrong
/// with the operation, as the functions of collective_check.hpp; it must find nothing without a
/// fault. `order`: of operands that commute, the side is no fault. `result`: the blocks of a rank's
/// output that count, where these aren't all.
MutationReport mutate(const Trial& trial, const std::function<std::string(const Trial&)>& check,
                      Order order, const std::function<Extent(int rank)>& result = {});

}  // namespace cartwright::plan::test
