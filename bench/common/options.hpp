// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cartwright::bench {

/// What every benchmark is asked for on its command line.
struct Options {
  bool quick = false;   ///< --quick: ends within 45 seconds
  std::string json;     ///< --json FILE: results go there too; empty: nowhere
  bool append = false;  ///< --append: keep the cases that FILE holds of this benchmark
  bool help = false;
};

/// Throws an input error for anything else.
[[nodiscard]] Options parse_options(int argc, const char* const* argv);

[[nodiscard]] std::string options_help(const std::string& benchmark);

}  // namespace cartwright::bench
