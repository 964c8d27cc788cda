// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "../options/parse.hpp"

namespace cartwright::command {

namespace {

constexpr auto about =
    R"(Predicts how a run scales on a machine that is described: a step's time by part, for many numbers of ranks.

Strong scaling keeps the deck's grid, weak scaling the cells of a rank. What a step does was counted, and its
kernels were measured, where the profile was written: PROGRAM DECK --dry-run --profile FILE. (./cartwright scale
DECK does both.) docs/prediction.md says what is assumed.)";

constexpr auto examples = R"(
  cartwright scale inputs/pde/heat.yaml --machine frontier -n 1..1048576 grid.extent='[65536, 65536]'
  cartwright scale inputs/pde/euler.yaml -n 1..4096 --weak --picture euler.svg --csv euler.csv
  cartwright scale inputs/pde/heat.yaml -n 1,2,4 --machine ~/.cache/cartwright/machines/NAME.yaml)";

constexpr int most_ranks = 1 << 24;

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || end != text.data() + text.size() || number < 1 || number > most_ranks)
    return std::nullopt;
  return number;
}

std::vector<int> doubled(int first, int last) {
  std::vector<int> ranks;
  for (long long n = first; n < last; n *= 2) ranks.push_back(static_cast<int>(n));
  ranks.push_back(last);
  return ranks;
}

}  // namespace

std::vector<int> rank_counts(std::string_view text) {
  if (const auto dots = text.find(".."); dots != std::string_view::npos) {
    const auto first = number_in(text.substr(0, dots)), last = number_in(text.substr(dots + 2));
    if (!first || !last || *first > *last) return {};
    return doubled(*first, *last);
  }
  std::vector<int> ranks;
  while (true) {
    const std::string_view part = text.substr(0, text.find(','));
    const auto number = number_in(part);
    if (!number) return {};
    ranks.push_back(*number);
    if (part.size() == text.size()) break;
    text.remove_prefix(part.size() + 1);
  }
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

std::optional<ScaleOptions> parse_scale_options(int argc, char** argv, int& exit_code) {
  ScaleOptions options;
  CLI::App app{about, "cartwright scale"};
  app.footer(examples);
  std::string ranks = "1..4096";
  bool only_strong = false, only_weak = false;
  app.add_option("--profile", options.profile, "what was measured")->option_text("FILE");
  app.add_option("--machine", options.machine,
                 "name or file of a machine; here: that of the profile (default: frontier)")
      ->option_text("NAME");
  app.add_option("-n,--ranks", ranks,
                 "1..N: each twice the one before; or 1,2,6 (default: 1..4096)")
      ->option_text("RANKS");
  app.add_option("--backends", options.backends,
                 "of auto, shared, rma, p2p, native; the first in full (default: auto,p2p,native)")
      ->delimiter(',')
      ->check(CLI::IsMember({"auto", "shared", "rma", "p2p", "native"}))
      ->option_text("NAME,...");
  app.add_flag("--strong", only_strong, "only strong scaling: the deck's grid");
  app.add_flag("--weak", only_weak, "only weak scaling: the cells of a rank stay");
  app.add_option("--base", options.base,
                 "weak: a rank has as many cells as on so many ranks (default: on the fewest)")
      ->check(CLI::Range(1, most_ranks))
      ->option_text("RANKS");
  app.add_option("--ranks-per-node", options.ranks_per_node,
                 "more than cores share them (default: a core for each thread)")
      ->check(CLI::Range(1, most_ranks))
      ->option_text("N");
  app.add_option("--csv", options.csv, "a row for each prediction")->option_text("FILE");
  app.add_option("--json", options.json, "the same for programs")->option_text("FILE");
  app.add_option("--picture", options.picture, "time over ranks, logarithmic")
      ->option_text("FILE.svg");
  app.add_flag("--check", options.only_check,
               "only say what is wrong with the other options; needs no profile");
  if (const auto ends = parse(app, argc, argv, [&] {
        if (options.profile.empty() && !options.only_check) throw CLI::RequiredError("--profile");
        options.ranks = rank_counts(ranks);
        if (options.ranks.empty())
          throw CLI::ValidationError("--ranks",
                                     "write 1..4096 or 1,2,6, up to 16777216, not '" + ranks + "'");
        if (only_strong && only_weak)
          throw CLI::ValidationError("--strong", "and --weak exclude each other");
      })) {
    exit_code = *ends;
    return std::nullopt;
  }
  options.strong = !only_weak;
  options.weak = !only_strong;
  return options;
}

}  // namespace cartwright::command
