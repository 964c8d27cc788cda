// SPDX-License-Identifier: Apache-2.0
// says: a field holds numbers or Vector<number, N>: unsigned char in place of bool
#include <cartwright/cartwright.hpp>
#include <complex>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<std::complex<double>, 2> psi(grid, "psi");
  cw::exchange(psi).wait();
}
