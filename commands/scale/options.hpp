// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::command {

struct ScaleOptions {
  std::string profile;               ///< file, as --dry-run --profile has written it
  std::string machine = "frontier";  ///< name or file
  std::vector<int> ranks;            ///< ascending
  bool strong = true, weak = true;
  std::vector<std::string> backends{"auto", "p2p", "native"};  ///< the first is shown in full
  int ranks_per_node = 0;                                      ///< 0: each thread has a core
  int base = 0;  ///< weak scaling keeps the blocks of so many ranks; 0: of the fewest
  std::string json, csv, picture;
  bool only_check = false;  ///< the options are all that counts: before the profile is there
};

/// "1..1024": each twice the one before, and the last; "1,2,6": these; ascending. Empty for other
/// texts.
[[nodiscard]] std::vector<int> rank_counts(std::string_view text);

/// Nothing after --help or a mistake, which has been printed; `exit_code` says which.
[[nodiscard]] std::optional<ScaleOptions> parse_scale_options(int argc, char** argv,
                                                              int& exit_code);

}  // namespace cartwright::command
