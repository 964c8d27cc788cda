// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/reduction.hpp>

namespace cartwright::comm {

/// The loop for an operator and a type, the widest that this processor has; null where the operator
/// isn't defined for the type.
[[nodiscard]] Reduction::Function reduction_kernel(Operator op, ScalarType type);

}  // namespace cartwright::comm
