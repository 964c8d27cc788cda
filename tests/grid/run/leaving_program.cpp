// SPDX-License-Identifier: Apache-2.0
// Driven by leaving_test.sh.
#include "leaving_solver.hpp"

int main(int argc, char** argv) {
  return cartwright::run(argc, argv, {cartwright::grid::test::leaving_solver()});
}
