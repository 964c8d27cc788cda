// SPDX-License-Identifier: Apache-2.0
// says: a field holds numbers or Vector<number, N>: unsigned char in place of bool
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

struct Gas {
  double density, pressure;
};
void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<Gas, 2> gas(grid, "gas");
  cw::exchange(gas).wait();
}
