// SPDX-License-Identifier: Apache-2.0
// Fields of doubles, which every solver has: compiled here once, and not with each program.
#include <cartwright/grid/field/field.hpp>

namespace cartwright::grid {

template class BoundaryFace<double, 1>;
template class BoundaryFace<double, 2>;
template class BoundaryFace<double, 3>;

template class Field<double, 1>;
template class Field<double, 2>;
template class Field<double, 3>;

}  // namespace cartwright::grid
