// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/app_options.hpp>
#include <cartwright/rt/runtime.hpp>

#include "options.hpp"

namespace matmul {

/// All that a deck says.
struct Request : cartwright::grid::AppOptions {
  std::string solver;
  Options matmul;
  OutputOptions output;
};

/// Collective. The whole run: operands, products, checks, results.
void run(cartwright::rt::Runtime& runtime, const Request& request);

/// Collective. What a run on `--dry-run -n` ranks would need; computes nothing.
void plan(cartwright::rt::Runtime& runtime, const Request& request);

/// Collective. For `--check`: throws where files don't fit each other or the deck.
void check(cartwright::rt::Runtime& runtime, const Request& request);

}  // namespace matmul
