// SPDX-License-Identifier: Apache-2.0
// says: kernels that run in_packs() see fields as packs: capture cw::packs(u).reading()
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

struct Halve {
  cw::FieldView<const double, 2> in;
  cw::FieldView<double, 2> out;

  template <class Point>
  void operator()(const Point& i) const {
    out(i) = 0.5 * in(i);
  }
};

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u"), next = u.like();
  cw::for_each(next, cw::in_packs(Halve{u.view().reading(), next.view()}));
}
