// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "row.hpp"

namespace cartwright::validation {

/// How many rows of each verdict.
struct Counts {
  int reproduced = 0;
  int explained = 0;
  int unexplained = 0;
  int impossible = 0;

  [[nodiscard]] int all() const { return reproduced + explained + unexplained + impossible; }
};
Counts count(const Table& table);
Counts count(const Document& document);
/// "ruefenacht: 200 rows: 150 reproduced, …".
std::string summary(const Document& document);

/// On a terminal. `only_deviations`: leaves out what is reproduced.
void print(const Document& document, bool only_deviations);
/// As Markdown.
std::string markdown(std::span<const Document> documents, bool only_deviations);

}  // namespace cartwright::validation
