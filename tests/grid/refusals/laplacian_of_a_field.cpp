// SPDX-License-Identifier: Apache-2.0
// says: kernels capture and use the view of a field, not the field: auto in = u.view(); before the
// kernel
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

double at(cw::Field<double, 2>& u, cw::Index<2> i) {
  return cw::laplacian(u, i);
}
