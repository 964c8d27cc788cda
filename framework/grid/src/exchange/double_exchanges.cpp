// SPDX-License-Identifier: Apache-2.0
// Exchanges of one field of doubles: compiled here once, and not with each program.
#include <cartwright/grid/exchange/exchange.hpp>

namespace cartwright::grid {

template class Exchange<1, Field<double, 1>>;
template class Exchange<2, Field<double, 2>>;
template class Exchange<3, Field<double, 3>>;

}  // namespace cartwright::grid
