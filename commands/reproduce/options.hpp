// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "row.hpp"

namespace cartwright::reproduce {

/// What `cartwright reproduce` is asked for.
struct Options {
  std::vector<std::string> documents;  ///< by author
  bool only_deviations = false;
  Effort effort = Effort::quick;
  std::string markdown;  ///< file; empty: none
};

/// Answers --help by itself. Nothing: the program is to end with the code `exit_code`.
std::optional<Options> parse_options(int argc, char** argv, int& exit_code);

}  // namespace cartwright::reproduce
