// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/json_text.hpp>
#include <nlohmann/json.hpp>

namespace cartwright::rt {

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace cartwright::rt
