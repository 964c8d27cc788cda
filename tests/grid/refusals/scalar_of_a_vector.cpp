// SPDX-License-Identifier: Apache-2.0
// says: a Scalar is a number, or a bool
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Scalar<cw::Vector<double, 2>> v(run, "v");
}
