// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/field_info.hpp>
#include <map>
#include <string>
#include <vector>

namespace cartwright::grid {

/// Where results come from; every file that a run writes holds it.
struct RunInfo {
  std::string deck_name;        ///< the deck's file name
  std::string deck_text;        ///< effective configuration
  std::string version;          ///< of the program and the framework
  std::string commit;           ///< of the source tree
  std::string layout;           ///< ranks, process grid, mapping
  std::string time_unit = "s";  ///< empty: steps of an iteration
  /// Of fields, and of vectors in them, whose components have names: `gas`, `gas.velocity`.
  std::map<std::string, std::vector<Component>> components = {};
};

}  // namespace cartwright::grid
