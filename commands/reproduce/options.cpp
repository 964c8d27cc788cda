// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "../options/refuse_empty.hpp"

namespace cartwright::reproduce {

namespace {

constexpr auto about =
    R"(Computes the numbers of the documents that Cartwright builds on, beside the published ones.

Every table and number that formulas, fits, schedules or the simulator can give has a row: published,
ours, deviation, tolerance, verdict. Tolerances follow from the printed digits, or the row says why
not. What deviates has its reason below it; what can't be reproduced says what is missing.)";

constexpr auto examples = R"(
Documents:
  ruefenacht   M. Rüfenacht, Towards Larger Scale Collective Operations in the Message Passing
               Interface, PhD thesis, University of Edinburgh, 2020
  karlsson     C. Karlsson, Optimizing Multi-dimensional MPI Communications on Multi-core
               Architectures, PhD thesis, Colorado School of Mines, 2012
  viertel      C. Viertel, Improving the Performance of Selected MPI Collective Communication
               Operations on InfiniBand Networks, diploma thesis, Chemnitz, 2007
  all          all of them

  cartwright reproduce all
  cartwright reproduce ruefenacht --only-deviations
  cartwright reproduce karlsson --long --markdown karlsson.md

Exit code: 0 when every row is reproduced, explained, or listed with the reason why it can't be; 2
when a row deviates without an explanation; 1 for mistakes in the command.)";

}  // namespace

std::optional<Options> parse_options(int argc, char** argv, int& exit_code) {
  const std::vector<std::string> names{"ruefenacht", "karlsson", "viertel"};
  Options options;
  CLI::App app{about, "cartwright reproduce"};
  app.footer(examples);
  bool is_long = false;
  app.add_option("documents", options.documents, "by author, or all (default: all)")
      ->check(CLI::IsMember({"ruefenacht", "karlsson", "viertel", "all"}))
      ->option_text("DOCUMENT …");
  app.add_flag("--only-deviations", options.only_deviations, "leave out what is reproduced");
  app.add_flag("--long", is_long, "also simulations of more than 10 000 ranks (half a minute)");
  app.add_option("--markdown", options.markdown, "write the same as Markdown")->option_text("FILE");
  try {
    app.parse(argc, argv);
    command::refuse_empty_values(app);
  } catch (const CLI::ParseError& error) {
    exit_code = app.exit(error) == 0 ? 0 : 1;
    return std::nullopt;
  }
  const bool all = options.documents.empty() ||
                   std::ranges::find(options.documents, "all") != options.documents.end();
  std::vector<std::string> chosen;
  for (const std::string& name : names)
    if (all || std::ranges::find(options.documents, name) != options.documents.end())
      chosen.push_back(name);
  options.documents = chosen;
  options.effort = is_long ? Effort::all : Effort::quick;
  return options;
}

}  // namespace cartwright::reproduce
