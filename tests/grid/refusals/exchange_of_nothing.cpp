// SPDX-License-Identifier: Apache-2.0
// says: an exchange needs at least one field: cw::exchange(u)
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve() {
  cw::exchange().wait();
}
