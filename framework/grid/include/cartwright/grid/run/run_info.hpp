// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cartwright::grid {

/// Where results come from; every file that a run writes holds it.
struct RunInfo {
  std::string deck_name;  ///< the deck's file name
  std::string deck_text;  ///< effective configuration
  std::string version;    ///< of the program and the framework
  std::string commit;     ///< of the source tree
  std::string layout;     ///< ranks, process grid, mapping
};

}  // namespace cartwright::grid
