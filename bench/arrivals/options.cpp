// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cstdlib>
#include <sstream>

#include "patterns.hpp"

namespace cartwright::bench {

namespace {

[[noreturn]] void refuse_option(const std::string& what) {
  throw rt::input_error(what, "--help lists the options.", rt::Reach::all_ranks);
}

double positive(const std::string& option, const std::string& word) {
  char* end = nullptr;
  const double number = std::strtod(word.c_str(), &end);
  if (end == word.c_str() || *end != '\0' || !(number > 0) || number > 1e9)
    refuse_option(fmt::format("{}: '{}' isn't a number above zero", option, word));
  return number;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

void set_value(ArrivalsSelection& selection, const std::string& option, const std::string& value) {
  if (option == "--sizes") {
    for (const std::string& word : split(value))
      selection.sizes.push_back(static_cast<std::size_t>(positive(option, word)));
  } else if (option == "--patterns") {
    selection.patterns = split(value);
    for (const std::string& name : selection.patterns)
      (void)PatternMaker(1, 1.0, 1, 1).make(name);  // refuses what doesn't exist
  } else if (option == "--late") {
    selection.spread = 1e-3 * positive(option, value);
  } else if (option == "--rounds") {
    selection.rounds = static_cast<std::size_t>(positive(option, value));
  } else if (option == "--seed") {
    selection.seed = static_cast<std::uint64_t>(positive(option, value));
  } else if (option == "--trace") {
    selection.trace = value;
  } else if (option == "--plot") {
    selection.plot = value;
  } else if (option == "--json") {
    selection.common.json = value;
  } else {
    refuse_option(fmt::format("unknown option '{}'", option));
  }
}

void set_usual(ArrivalsSelection& selection) {
  const bool quick = selection.common.quick;
  if (selection.sizes.empty() && quick) selection.sizes = {std::size_t{4} << 20};
  if (selection.sizes.empty()) selection.sizes = {std::size_t{128} << 10, std::size_t{4} << 20};
  if (selection.patterns.empty() && selection.trace.empty()) {
    selection.patterns = PatternMaker::names();
    if (quick) selection.patterns = {"single", "uniform"};
  }
  // What is absorbed is known by comparison with ranks that come together.
  std::erase(selection.patterns, "none");
  selection.patterns.insert(selection.patterns.begin(), "none");
  if (selection.rounds == 0) selection.rounds = quick ? 7 : 25;
  selection.all_algorithms = !quick;
}

}  // namespace

ArrivalsSelection parse_arrivals_options(int argc, const char* const* argv) {
  ArrivalsSelection selection;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick") {
      selection.common.quick = true;
    } else if (word == "--append") {
      selection.common.append = true;
    } else if (word == "--help" || word == "-h") {
      selection.common.help = true;
    } else {
      if (i + 1 == argc || *argv[i + 1] == '\0') refuse_option(word + " needs a value");
      set_value(selection, word, argv[++i]);
    }
  }
  set_usual(selection);
  return selection;
}

std::string arrivals_help() {
  return "usage: mpirun -n RANKS bench_arrivals [options]\n"
         "  --sizes N,M       bytes that are reduced\n"
         "  --patterns A,B    none, single (each rank in turn), alternating, uniform, normal, "
         "gamma, bernoulli\n"
         "  --trace FILE      arrivals from a file: one call a line, by rank, in s\n"
         "  --late MS         how late the last rank is, about; else twice what MPI_Reduce takes\n"
         "  --rounds N        turns of each contestant; with a trace at least one for each line\n"
         "  --seed N          of the random patterns, which are drawn anew for each turn\n"
         "  --quick           one size, fewer patterns and contestants: ends within 45 seconds\n"
         "  --plot FILE       a picture (SVG) of the times after the last arrival\n"
         "  --json FILE       writes the results to FILE, too\n"
         "  --append          keeps the other cases that FILE already holds\n";
}

}  // namespace cartwright::bench
