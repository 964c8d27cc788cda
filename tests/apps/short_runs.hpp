// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace pde_test {

/// A run of a few steps (or iterations) on few cells, with output and a checkpoint at each.
struct ShortRun {
  std::string name, solver, deck;
  std::string settings;  ///< of the command line, beside the deck
};

/// At least one of each solver that a program offers.
std::vector<ShortRun> short_runs();

}  // namespace pde_test
