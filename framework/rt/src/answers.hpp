// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/module.hpp>
#include <cartwright/rt/program.hpp>
#include <string>
#include <vector>

namespace cartwright::rt {

/// The text that answers --help, --version, --check and the like, all that needs neither MPI nor
/// the body of a run. Throws `Error` for a bad deck.
[[nodiscard]] std::string answer(const CommandLine& command_line, const Program& program,
                                 const std::vector<Module>& modules);

/// The paths of all keys that have this name, whatever the deck.
[[nodiscard]] std::vector<std::string> keys_named(const std::string& name,
                                                  const std::vector<Module>& modules);

}  // namespace cartwright::rt
