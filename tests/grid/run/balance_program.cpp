// SPDX-License-Identifier: Apache-2.0
// Driven by balance_test.sh.
#include <cartwright/cartwright.hpp>

#include "../../../bench/balance/uneven_solver.hpp"

int main(int argc, char** argv) {
  return cartwright::run(argc, argv, {cartwright::bench::uneven_solver()});
}
