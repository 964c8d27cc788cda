// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "row.hpp"

namespace cartwright::validation {

/// The documents of a folder, by name: NAME.yaml each.
[[nodiscard]] std::vector<std::string> document_names(const std::string& folder);

/// Reads FOLDER/NAME.yaml and computes its rows. `is_long`: also what takes a long time.
[[nodiscard]] Document read_document(const std::string& folder, const std::string& name,
                                     bool is_long);

/// Its citation alone.
[[nodiscard]] std::string citation_of(const std::string& folder, const std::string& name);

}  // namespace cartwright::validation
