// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/schema.hpp>
#include <string>

namespace cartwright::comm {

/// Section `comm` of a deck.
struct Options {
  std::string backend = "auto";
};

[[nodiscard]] rt::Schema<Options> schema();

}  // namespace cartwright::comm
