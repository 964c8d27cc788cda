// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/exceptions.h>

#include <string>

namespace cartwright::rt {

/// A syntax error where a person would look for it, from 1, in plain words.
struct SyntaxFault {
  int line, column;
  std::string text;
};

/// Says what yaml-cpp's `error` means, after a look at the lines around its place.
[[nodiscard]] SyntaxFault explain_syntax(const YAML::Exception& error, const std::string& text);

}  // namespace cartwright::rt
