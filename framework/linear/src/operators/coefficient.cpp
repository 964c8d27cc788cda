// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/grid/field/place_in_field.hpp>
#include <cartwright/linear/operators/coefficient.hpp>
#include <cartwright/rt/error.hpp>
#include <string>

namespace cartwright::linear {

void refuse_coefficient(const grid::FieldBase& coefficient, double least) {
  const std::string place = grid::place_not_finite(coefficient);
  const std::string fault =
      !place.empty() ? "not a finite number, " + place
                     : fmt::format("{:g}, {}", least, grid::place_of_value(coefficient, least));
  throw rt::input_error(
      fmt::format("the coefficient '{}' of a diffusion operator is {}", coefficient.name(), fault),
      "It has to be above 0, and finite, everywhere.", rt::Reach::all_ranks);
}

}  // namespace cartwright::linear
