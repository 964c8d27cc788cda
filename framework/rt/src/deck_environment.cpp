// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cartwright/rt/deck.hpp>
#include <cctype>
#include <string_view>

namespace cartwright::rt {

Environment cartwright_environment() {
  Environment found;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const auto equals = text.find('=');
    if (!text.starts_with("CARTWRIGHT_") || equals == std::string_view::npos) continue;
    const auto value = text.substr(equals + 1);
    if (!value.empty()) found.emplace(text.substr(0, equals), value);
  }
  return found;
}

std::string environment_name(const std::string& path) {
  std::string name = "CARTWRIGHT_";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    name += std::isalnum(byte) != 0 ? static_cast<char>(std::toupper(byte)) : '_';
  }
  return name;
}

}  // namespace cartwright::rt
