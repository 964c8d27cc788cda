// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

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

/// What nobody asked for, the first of it: CLI11 lists all, from the last one on.
inline std::string surplus_text(const CLI::App& app, const std::string& first) {
  if (!first.starts_with("-")) return "'" + first + "' isn't expected here";
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  const std::string name = first.substr(0, first.find('='));
  return "there is no option '" + name + "'" + rt::did_you_mean(name, names);
}

/// A mistake as people read it: an option by all its names, since CLI11 says the long one alone.
inline std::string mistake_text(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> surplus = app.remaining();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) && !surplus.empty())
    return surplus_text(app, surplus.front());
  const std::string text = error.what();
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (!text.starts_with(name + ":") && !text.starts_with(name + " ")) continue;
    std::string names = option->get_name(false, true);
    if (const auto comma = names.find(','); comma != std::string::npos)
      names.insert(comma + 1, " ");
    if (text.ends_with(" missing")) return names + " needs a value, but none is given";
    return names + text.substr(name.size());
  }
  return text;
}

inline rt::Error mistake(const CLI::App& app, const CLI::ParseError& error) {
  return rt::input_error(mistake_text(app, error),
                         "./" + app.get_name() + " --help lists the options.");
}

/// Nothing, or 0 where the program ends here, after --help. Throws an input error for a mistake.
template <class Check>
[[nodiscard]] std::optional<int> parse(CLI::App& app, int argc, char** argv, const Check& check) {
  try {
    parse_all(app, argc, argv, check);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw mistake(app, error);
    return app.exit(error);
  }
  return std::nullopt;
}

/// The same on several ranks, of which the one that `speaks` prints the help: false after that.
template <class Check>
[[nodiscard]] bool parse_on_ranks(CLI::App& app, int argc, char** argv, bool speaks,
                                  const Check& check) {
  try {
    parse_all(app, argc, argv, check);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw mistake(app, error);
    std::ostringstream out;
    (void)app.exit(error, out, out);
    if (speaks) std::fputs(out.str().c_str(), stdout);
    return false;
  }
  return true;
}

}  // namespace cartwright::command
