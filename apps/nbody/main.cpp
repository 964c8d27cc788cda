// SPDX-License-Identifier: Apache-2.0
#include "solvers.hpp"

int main(int argc, char** argv) {
  return cartwright::run(argc, argv, nbody::solvers());
}
