// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/volume_options.hpp>
#include <cartwright/rt/schema_node.hpp>
#include <optional>
#include <string>

namespace render {

/// Section `render` of a deck.
struct Options {
  std::string file;  ///< a run's results, or a file of fields; empty: `initial.field` says it
  std::optional<long long> step;
  std::string unit;
  cartwright::grid::VolumeOptions volume;
};

void bind(cartwright::rt::SectionNode& section, Options& options);

/// Throws Deck::error for what contradicts itself. `has_formula`: the deck has `initial.field`.
void check(const cartwright::rt::Deck& deck, const cartwright::grid::GridDescription& grid,
           const Options& options, bool has_formula);

}  // namespace render
