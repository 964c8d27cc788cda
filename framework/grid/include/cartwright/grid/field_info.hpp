// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cartwright::grid {

/// A field that a solver declares: decks may give its initial and boundary data; if it is among the
/// fields of `steps`, it is part of output, pictures and diagnostics.
struct FieldInfo {
  std::string name;
  std::string unit;
};

}  // namespace cartwright::grid
