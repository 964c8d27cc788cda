// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>

namespace cartwright::command {

/// After parsing: throws for options with an empty value, such as an unset variable leaves. It
/// would count as none at all.
inline void refuse_empty_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const auto& given = option->results();
    if (std::any_of(given.begin(), given.end(), [](const auto& text) { return text.empty(); }))
      throw CLI::ValidationError(option->get_name(), "needs a value, but an empty one is given");
  }
}

}  // namespace cartwright::command
