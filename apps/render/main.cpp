// SPDX-License-Identifier: Apache-2.0
// Pictures of a 3-D field, drawn by all ranks: of a formula, or of what another run has written.
#include "render.hpp"

int main(int argc, char** argv) {
  return cartwright::grid::run(argc, argv, {render::entry()});
}
