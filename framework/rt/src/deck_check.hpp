// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/module.hpp>
#include <cartwright/rt/process_options.hpp>
#include <cartwright/rt/schema_node.hpp>
#include <vector>

namespace cartwright::rt {

/// Adds the keys of the process and of all modules to `root`; `deck` may be null.
void gather_schema(SectionNode& root, ProcessOptions& options, const std::vector<Module>& modules,
                   const Deck* deck);

/// Schema, values and the modules' own checks; throws for faults.
void apply_deck(Deck& deck, SectionNode& root, ProcessOptions& options,
                const std::vector<Module>& modules);

}  // namespace cartwright::rt
