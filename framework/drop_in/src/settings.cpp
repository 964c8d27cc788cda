// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/number_text.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <cstdlib>
#include <string>
#include <vector>

namespace cartwright::drop_in {

namespace {

/// The number that a variable holds, at most `most`; `usual` where there is none.
long number_of(const char* name, long usual, long most) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text == '\0') return usual;
  const auto number = rt::parse_integer(text).value;
  if (number && *number >= 0 && *number <= most) return static_cast<long>(*number);
  throw rt::input_error(
      std::string(name) + " is '" + text + "'",
      "It takes a whole number from 0 to " + std::to_string(most) + "; or leave it out.");
}

/// A mistyped variable would do nothing, and nobody would notice.
void refuse_unknown_variables() {
  const std::vector<std::string> known{"CARTWRIGHT_DROP_IN_AFTER", "CARTWRIGHT_DROP_IN_NONBLOCKING",
                                       "CARTWRIGHT_DROP_IN_REORDER", "CARTWRIGHT_DROP_IN_REPORT",
                                       "CARTWRIGHT_DROP_IN_SERIALIZED"};
  for (const auto& [name, value] : rt::cartwright_environment()) {
    const bool is_ours = name.starts_with("CARTWRIGHT_DROP_IN_");
    if (!is_ours || std::ranges::find(known, name) != known.end()) continue;
    throw rt::input_error(fmt::format("{} sets nothing{}", name, rt::did_you_mean(name, known)),
                          fmt::format("There are {}.", fmt::join(known, ", ")));
  }
}

}  // namespace

Settings settings_of_environment() {
  refuse_unknown_variables();
  // Was asked for before there was anybody to say that it can't be read.
  (void)number_of("CARTWRIGHT_DROP_IN_SERIALIZED", 0, 1);
  const Settings usual;
  return {.after = number_of("CARTWRIGHT_DROP_IN_AFTER", usual.after, 1'000'000'000),
          .nonblocking = number_of("CARTWRIGHT_DROP_IN_NONBLOCKING", 0, 1) != 0,
          .reorder = number_of("CARTWRIGHT_DROP_IN_REORDER", 0, 1) != 0,
          .report = number_of("CARTWRIGHT_DROP_IN_REPORT", 0, 1) != 0};
}

}  // namespace cartwright::drop_in
