// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt {

/// What a program is asked to do; everything but `run` and `dry_run` needs no more than the schema.
enum class Mode {
  run,
  check,           ///< --check: is the deck right?
  print_config,    ///< --print-config: effective values and where each came from
  dry_run,         ///< --dry-run [-n N]: plan for N ranks without running
  json_schema,     ///< --json-schema: for editors
  deck_reference,  ///< --deck-reference: every key, as Markdown
  list_solvers,    ///< --list-solvers: one a line
  help,            ///< --help
  version          ///< --version
};

struct CommandLine {
  Mode mode = Mode::run;
  std::string deck_path;               ///< empty in modes that need no deck, or if none is given
  std::vector<std::string> overrides;  ///< "grid.extent=[64, 64]"
  int planned_ranks = 0;               ///< of --dry-run -n N; 0: as many as are running
  std::string machine;  ///< of --dry-run: whose times are predicted; empty: like this one
  std::string profile;  ///< of --dry-run: a file for what was measured; empty: none
  /// Go on from a checkpoint: of this directory, or the newest in the output directory ("").
  std::optional<std::string> restart;
  bool quiet = false;
  bool verbose = false;

  /// True for the modes that read a deck.
  [[nodiscard]] bool needs_deck() const noexcept;
};

/// The paths of all keys of a deck that have this name: "steps" gives "time.steps".
using FindKeys = std::function<std::vector<std::string>(const std::string& name)>;

/// Throws an input error (met by all ranks) for an unknown option, with a suggestion: another
/// option, or a key that `find_keys` finds.
[[nodiscard]] CommandLine parse_command_line(int argc, const char* const* argv,
                                             const FindKeys& find_keys = {},
                                             bool deck_is_optional = false);

/// The text of --help: usage and options of `program`.
[[nodiscard]] std::string command_line_help(const std::string& program,
                                            bool deck_is_optional = false);

}  // namespace cartwright::rt
