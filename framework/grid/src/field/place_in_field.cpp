// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/field/place_in_field.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "../run/field_place.hpp"

namespace cartwright::grid {
namespace {

using GlobalPoint = std::array<long long, 3>;

/// Collective. In words, the first of the points that the ranks have found.
std::string first_place(const FieldBase& field, const std::optional<GlobalPoint>& found) {
  const Block block = field.block();
  constexpr long long none = std::numeric_limits<long long>::max();
  const long long mine = found ? number_of(block, *found) : none;
  const long long first = field.grid().comm().allreduce(mine, comm::Operator::minimum);
  if (first == none) return {};
  return place_text(field.grid().description(), field, place_of(block, first));
}

}  // namespace

std::string place_not_finite(const FieldBase& field) {
  return first_place(field, field.first_not_finite());
}

std::string place_of_value(const FieldBase& field, double value) {
  const Block block = field.block();
  std::vector<double> values(static_cast<std::size_t>(block.points()));
  field.copy_owned_to(std::as_writable_bytes(std::span(values)));
  const long long at = std::ranges::find(values, value) - values.begin();
  if (at == block.points()) return first_place(field, std::nullopt);
  const auto& count = block.count;
  return first_place(
      field, GlobalPoint{block.start[0] + at % count[0], block.start[1] + at / count[0] % count[1],
                         block.start[2] + at / (count[0] * count[1])});
}

}  // namespace cartwright::grid
