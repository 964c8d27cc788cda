// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/elements/reduction.hpp>
#include <cartwright/rt/error.hpp>

#include "reduction_kernels.hpp"

namespace cartwright::comm {

Reduction predefined(Operator op, ScalarType type) {
  const Reduction::Function function = reduction_kernel(op, type);
  if (function == nullptr) {
    throw rt::internal_failure(
        fmt::format("a reduction asks for the {} of {}s, which is not defined", name(op),
                    name(type)),
        "Count truth values as integers; compare complex numbers by their absolute values.",
        rt::Reach::all_ranks);
  }
  return {.function = function, .exact = is_integral(type), .predefined = op};
}

}  // namespace cartwright::comm
