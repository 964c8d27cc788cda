// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>

namespace cartwright::rt {

/// Where a value of the configuration came from, for messages and for --print-config.
struct Origin {
  enum class Kind { standard, deck, environment, command_line };  // in order of precedence

  Kind kind = Kind::standard;
  std::string name;  ///< the deck's file name, or the environment variable
  int line = 0;      ///< in the deck, from 1; 0: the deck as a whole
  int column = 0;    ///< in the deck, from 1

  /// For messages: "heat.yaml:12:7", "heat.yaml", "environment CARTWRIGHT_TIME_STEPS",
  /// "command line".
  [[nodiscard]] std::string place() const;
  /// For --print-config: "default", "heat.yaml:12", "environment …", "command line".
  [[nodiscard]] std::string source() const;
};

}  // namespace cartwright::rt
