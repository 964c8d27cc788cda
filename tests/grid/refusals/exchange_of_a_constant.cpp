// SPDX-License-Identifier: Apache-2.0
// says: an exchange takes fields of one grid
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void refresh(const cw::Field<double, 2>& u) {
  cw::exchange(u).wait();
}
