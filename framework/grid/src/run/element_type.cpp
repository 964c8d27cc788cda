// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/field_base.hpp>

#include "scalar_visit.hpp"

namespace cartwright::grid {

std::size_t ElementType::bytes() const {
  return static_cast<std::size_t>(components) *
         visit_scalar(scalar, []<class T>(std::type_identity<T>) { return sizeof(T); });
}

}  // namespace cartwright::grid
