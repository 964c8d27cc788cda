// SPDX-License-Identifier: Apache-2.0
// cartwright validate: published numbers beside ours.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/output_file.hpp>
#include <cstdio>
#include <exception>

#include "../commands/options/parse.hpp"
#include "document.hpp"
#include "report.hpp"

namespace validation = cartwright::validation;
namespace rt = cartwright::rt;

namespace {

constexpr auto folder = CARTWRIGHT_DOCUMENTS;

struct Options {
  std::vector<std::string> documents;
  std::string markdown;
  bool only_deviations = false;
  bool is_long = false;
};

constexpr auto about =
    "Computes the numbers of the documents that Cartwright builds on, beside the published "
    "ones.\n\n"
    "Every table and number that formulas, fits, schedules or the simulator can give has a row: "
    "published,\nours, deviation, tolerance, verdict. Tolerances follow from the printed digits, "
    "or "
    "the row says why\nnot. What deviates has its reason below it; what can't be reproduced says "
    "what is missing.";

std::string footer(const std::vector<std::string>& names) {
  std::string text = "Documents:\n";
  for (const std::string& name : names)
    text += fmt::format("  {:<12} {}\n", name, validation::citation_of(folder, name));
  return text + R"(  all          all of them

  cartwright validate all
  cartwright validate ruefenacht --only-deviations
  cartwright validate karlsson --long --markdown karlsson.md

Exit code: 0 when every row is reproduced, explained, or listed with the reason why it can't be; 2
when a row deviates without an explanation; 1 for mistakes in the command or in a document's file.)";
}

// Whether every deviation is explained.
bool run(const Options& options) {
  if (!options.markdown.empty()) rt::require_writable(options.markdown);
  std::vector<validation::Document> documents;
  bool explained = true;
  for (const std::string& name : options.documents) {
    documents.push_back(validation::read_document(folder, name, options.is_long));
    validation::print(documents.back(), options.only_deviations);
    explained = explained && validation::count(documents.back()).unexplained == 0;
  }
  fmt::print("\n");
  for (const auto& document : documents) fmt::print("{}\n", validation::summary(document));
  if (!options.markdown.empty())
    rt::write_file(options.markdown, validation::markdown(documents, options.only_deviations));
  return explained;
}

int run_command(int argc, char** argv) {
  const auto names = validation::document_names(folder);
  auto choice = names;
  choice.emplace_back("all");
  Options options;
  CLI::App app{about, "cartwright validate"};
  app.footer(footer(names));
  app.add_option("documents", options.documents, "by author, or all (default: all)")
      ->check(CLI::IsMember(choice))
      ->option_text("DOCUMENT …");
  app.add_flag("--only-deviations", options.only_deviations, "leave out what is reproduced");
  app.add_flag("--long", options.is_long,
               "also simulations of more than 10 000 ranks (half a minute)");
  app.add_option("--markdown", options.markdown, "write the same as Markdown")->option_text("FILE");
  if (const auto ends = cartwright::command::parse(app, argc, argv, [] {})) return *ends;
  if (options.documents.empty() || std::ranges::count(options.documents, "all") > 0)
    options.documents = names;
  return run(options) ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (...) {
    const rt::Error error = rt::as_error(std::current_exception());
    std::fputs(rt::failure_message(error).c_str(), stderr);
    return static_cast<int>(error.code());
  }
}
