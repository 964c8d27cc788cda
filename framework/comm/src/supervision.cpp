// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/supervision.hpp>
#include <cartwright/rt/duration.hpp>
#include <cartwright/rt/error.hpp>
#include <cstdlib>
#include <string>

namespace cartwright::comm {

namespace {

std::string environment_text(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool truth_of(const char* name, const std::string& text) {
  if (text.empty() || text == "0" || text == "false" || text == "no" || text == "off") return false;
  if (text == "1" || text == "true" || text == "yes" || text == "on") return true;
  throw rt::input_error(std::string(name) + ": '" + text + "' is no truth value",
                        "Say true or false.", rt::Reach::all_ranks);
}

}  // namespace

Supervision supervision_from_environment() {
  constexpr const char* checked = "CARTWRIGHT_COMM_CHECKED";
  constexpr const char* time_limit = "CARTWRIGHT_COMM_TIME_LIMIT";
  Supervision supervision{.checked = truth_of(checked, environment_text(checked))};
  if (const std::string text = environment_text(time_limit); !text.empty()) {
    supervision.time_limit = rt::parse_duration(text);
    if (!supervision.time_limit || supervision.time_limit->count() <= 0) {
      throw rt::input_error(std::string(time_limit) + ": '" + text + "' is no duration",
                            "Say 30s or 5min, for instance.", rt::Reach::all_ranks);
    }
  }
  return supervision;
}

}  // namespace cartwright::comm
