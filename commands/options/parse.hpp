// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cstdio>
#include <optional>
#include <sstream>

namespace cartwright::command {

/// Parses, and throws for options with an empty value, such as an unset variable leaves: it would
/// count as none at all. `check` throws a CLI::ParseError where options contradict each other.
template <class Check>
void parse_all(CLI::App& app, int argc, char** argv, const Check& check) {
  app.parse(argc, argv);
  for (const CLI::Option* option : app.get_options()) {
    const auto& given = option->results();
    if (std::any_of(given.begin(), given.end(), [](const auto& text) { return text.empty(); }))
      throw CLI::ValidationError(option->get_name(), "needs a value, but an empty one is given");
  }
  check();
}

/// Nothing, or the exit code where the program ends here: after --help, or a mistake that has been
/// printed.
template <class Check>
[[nodiscard]] std::optional<int> parse(CLI::App& app, int argc, char** argv, const Check& check) {
  try {
    parse_all(app, argc, argv, check);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
  return std::nullopt;
}

/// The same on several ranks, of which the one that `speaks` prints the help: false after that.
/// Throws an input error for a mistake.
template <class Check>
[[nodiscard]] bool parse_on_ranks(CLI::App& app, int argc, char** argv, bool speaks,
                                  const Check& check) {
  try {
    parse_all(app, argc, argv, check);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    if (app.exit(error, out, out) != 0)
      throw rt::input_error(error.what(), "./" + app.get_name() + " --help lists the options.");
    if (speaks) std::fputs(out.str().c_str(), stdout);
    return false;
  }
  return true;
}

}  // namespace cartwright::command
