// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/settings.hpp>
#include <cartwright/mapping/placement/options.hpp>
#include <cartwright/rt/schema_node.hpp>
#include <string>
#include <vector>

namespace cartwright::grid {

/// What a deck says of any program: where its ranks sit, and how they talk.
struct AppOptions {
  mapping::Options mapping;
  comm::Settings comm;
};

/// Key `solver`: which of them a deck means. `chosen` is what the deck leaves out, if there is one
/// only.
void bind_solver_key(rt::SectionNode& root, std::string& chosen,
                     const std::vector<std::string>& solvers);
/// Sections `mapping` and `comm`.
void bind_app_options(rt::SectionNode& root, AppOptions& options);
/// What a schema can't see; throws Deck::error. `extent`: what the ranks divide along each axis.
void check_app_options(const rt::Deck& deck, const AppOptions& options,
                       const std::vector<long long>& extent);

}  // namespace cartwright::grid
