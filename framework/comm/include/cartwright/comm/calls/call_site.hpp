// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cartwright::comm {

/// Where in the caller's program a collective was called.
struct CallSite {
  const char* file = "";
  int line = 0;
  [[nodiscard]] static constexpr CallSite here(const char* file = __builtin_FILE(),
                                               int line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace cartwright::comm
