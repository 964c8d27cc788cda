// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/number_text.hpp>
#include <cstdlib>
#include <string>

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

}  // namespace

Settings settings_of_environment() {
  const Settings usual;
  return {.after = number_of("CARTWRIGHT_DROP_IN_AFTER", usual.after, 1'000'000'000),
          .nonblocking = number_of("CARTWRIGHT_DROP_IN_NONBLOCKING", 0, 1) != 0,
          .reorder = number_of("CARTWRIGHT_DROP_IN_REORDER", 0, 1) != 0,
          .report = number_of("CARTWRIGHT_DROP_IN_REPORT", 0, 1) != 0};
}

}  // namespace cartwright::drop_in
