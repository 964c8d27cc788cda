// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cartwright/comm/elements/reduction.hpp>
#include <cartwright/rt/error.hpp>

#include "reduction_kernels.hpp"

namespace cartwright::comm {

namespace {

constexpr std::size_t operators = static_cast<std::size_t>(Operator::bit_xor) + 1;
constexpr std::size_t scalar_types = static_cast<std::size_t>(ScalarType::complex128) + 1;

using Reductions = std::array<std::array<Reduction, operators>, scalar_types>;

/// Those that aren't defined have no function.
Reductions all_reductions() {
  Reductions table{};
  for (std::size_t type = 0; type < table.size(); ++type)
    for (std::size_t op = 0; op < operators; ++op) {
      const auto scalar = static_cast<ScalarType>(type);
      const auto combined = static_cast<Operator>(op);
      table[type][op] = {.function = reduction_kernel(combined, scalar),
                         .exact = is_integral(scalar),
                         .predefined = combined};
    }
  return table;
}

[[noreturn]] void refuse_undefined(Operator op, ScalarType type) {
  throw rt::internal_failure(
      fmt::format("a reduction asks for the {} of {}s, which is not defined", name(op), name(type)),
      "Count truth values as integers; compare complex numbers by their absolute values.",
      rt::Reach::all_ranks);
}

}  // namespace

const Reduction& predefined(Operator op, ScalarType type) {
  static const Reductions table = all_reductions();
  const Reduction& found = table[static_cast<std::size_t>(type)][static_cast<std::size_t>(op)];
  if (found.function == nullptr) [[unlikely]]
    refuse_undefined(op, type);
  return found;
}

}  // namespace cartwright::comm
