// SPDX-License-Identifier: Apache-2.0
#include "deck_check.hpp"

namespace cartwright::rt {

void gather_schema(SectionNode& root, ProcessOptions& options, const std::vector<Module>& modules,
                   const Deck* deck) {
  if (deck != nullptr) {
    for (const auto& module : modules) {
      if (module.peek) module.peek(*deck);
    }
  }
  for (const auto& module : modules) {
    if (module.schema) module.schema(root);
  }
  bind_process_options(root, options);
}

void apply_deck(Deck& deck, SectionNode& root, ProcessOptions& options,
                const std::vector<Module>& modules) {
  gather_schema(root, options, modules, &deck);
  deck.apply(root);
  for (const auto& module : modules) {
    if (module.check) module.check(deck);
  }
}

}  // namespace cartwright::rt
