// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/module.hpp>
#include <cartwright/rt/program.hpp>
#include <functional>
#include <vector>

namespace cartwright::rt {

/// A whole run: parses the command line, starts MPI, reads and checks the deck, starts the modules,
/// runs `body` (or `dry_run` for --dry-run), reports, stops. Answers --help, --version and the like
/// without MPI and without the body; --check, too, but then goes on with `check`, if there is one,
/// as with a body: it throws for what only the body's own code can know. Returns the exit code for
/// `main` to return; never throws. A failure on one rank ends all ranks from here with one message,
/// without returning.
[[nodiscard]] int execute(int argc, char** argv, const Program& program,
                          const std::vector<Module>& modules,
                          const std::function<void(Runtime&)>& body,
                          const std::function<void(Runtime&)>& dry_run = {},
                          const std::function<void(Runtime&)>& check = {});

}  // namespace cartwright::rt
