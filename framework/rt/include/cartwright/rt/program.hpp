// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cartwright::rt {

/// What a program is called and what it offers.
struct Program {
  struct Offer {
    std::string name, description;
  };
  std::string name, version, commit, description;
  std::vector<Offer> solvers;     ///< for --list-solvers
  bool deck_is_optional = false;  ///< without one, keys have their defaults
};

}  // namespace cartwright::rt
