// SPDX-License-Identifier: Apache-2.0
// What a solution says of itself beyond its result.
#pragma once

#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/run/inner_loop.hpp>
#include <string>
#include <vector>

namespace cartwright::grid {
class App;
}

namespace cartwright::linear {

/// Something that may be to blame for a residual that is no number.
struct Suspect {
  std::string what;  ///< "the right side 'f'"
  const grid::FieldBase* field;
  std::string advice;
};

/// Collective, where the residual of the first values isn't finite: throws a numerical failure (all
/// ranks) that names the first of `suspects` with such numbers, and where the first of them is.
[[noreturn]] void refuse_first_residual(const grid::App& app, const std::string& system,
                                        double residual, const std::vector<Suspect>& suspects);

/// Behind a solution: the log says, of the first one of a kind, that rounding has ended it before
/// the tolerance was reached. Later ones may begin so near their solution that it means nothing.
void note_rounding(const grid::App& app, const std::string& system, const grid::InnerLoop& loop,
                   double tolerance);

}  // namespace cartwright::linear
