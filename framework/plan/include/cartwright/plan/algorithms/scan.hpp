// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/schedule.hpp>

/// Rank i gets the combination of the contributions of ranks 0 … i, in rank order.
namespace cartwright::plan::scan {

/// Along a chain. P - 1 rounds and messages. Any operator.
Schedule linear(Team team);

/// In round k each rank sends what it has to the 2^k-th behind it. ceil(log2 P) rounds,
/// sum of P - 2^k messages. Any operator. (Hillis and Steele 1986)
Schedule recursive_doubling(Team team);

}  // namespace cartwright::plan::scan

/// Rank i gets the combination of the contributions of ranks 0 … i - 1, in rank order. The output
/// of rank 0 isn't written.
namespace cartwright::plan::exscan {

/// Along a chain. P - 1 rounds and messages. Any operator.
Schedule linear(Team team);

/// As the scan, with a second value in which a rank leaves itself out. ceil(log2 P) rounds,
/// sum of P - 2^k messages. Any operator. (Hillis and Steele 1986)
Schedule recursive_doubling(Team team);

}  // namespace cartwright::plan::exscan
