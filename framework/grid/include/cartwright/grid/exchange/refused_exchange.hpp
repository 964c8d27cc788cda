// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/space/refused.hpp>

namespace cartwright::grid {

/// So that a refused exchange has one error.
struct RefusedExchange {
  template <class... Given>
  void overlap(const Given&...) const {}
  void wait() const {}
  [[nodiscard]] RefusedExchange start() const { return {}; }
  [[nodiscard]] RefusedExchange at(double) const { return {}; }
};

/// What is no list of fields that can be exchanged together: refused in one line.
template <class... Given>
[[nodiscard]] auto exchange(const Given&...) {
  static_assert(sizeof...(Given) > 0,
                "cartwright: an exchange needs at least one field: cw::exchange(u)");
  static_assert(sizeof...(Given) == 0 || (refused::never<Given> && ...),
                "cartwright: an exchange takes fields of one grid, all of them Field<..., D> or "
                "all Staggered<..., D>, and writes their ghosts: no views, nothing const, no two "
                "dimensions");
  return RefusedExchange{};
}

}  // namespace cartwright::grid
