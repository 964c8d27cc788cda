// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cartwright/rt/error.hpp>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace cartwright::bench {

namespace {

using plan::Operation;
using enum plan::Operation;

constexpr std::array all_operations{barrier, broadcast, reduce,    allreduce, reduce_scatter,
                                    scatter, gather,    allgather, alltoall};

[[noreturn]] void refuse(const std::string& what, const std::string& advice = {}) {
  throw rt::input_error(what, advice.empty() ? "--help lists the options." : advice,
                        rt::Reach::all_ranks);
}

/// Parts between commas, but for those within the brackets of a tuning:
/// "barrier=star,scatter=…(2,3)".
std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words(1);
  int depth = 0;
  for (const char letter : list) {
    depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
    if (letter == ',' && depth == 0)
      words.emplace_back();
    else
      words.back() += letter;
  }
  return words;
}

Operation operation_of(const std::string& word) {
  const auto found = plan::operation_named(word);
  if (!found || std::ranges::find(all_operations, *found) == all_operations.end())
    refuse(fmt::format("there is no operation '{}' here", word));
  return *found;
}

double number_of(const std::string& word) {
  char* end = nullptr;
  const double number = std::strtod(word.c_str(), &end);
  if (end == word.c_str() || *end != '\0' || !(number > 0))
    refuse(fmt::format("'{}' isn't a number above zero", word));
  return number;
}

void set_operations(CollectivesSelection& selection, const std::string& list) {
  selection.operations.clear();
  for (const std::string& word : words_of(list)) selection.operations.push_back(operation_of(word));
}
void set_sizes(CollectivesSelection& selection, const std::string& list) {
  selection.sizes.clear();
  for (const std::string& word : words_of(list))
    selection.sizes.push_back(static_cast<std::size_t>(number_of(word)));
}
void set_backends(CollectivesSelection& selection, const std::string& list) {
  selection.backends = words_of(list);
  for (const std::string& name : selection.backends)
    if (name != "native" && name != "p2p" && name != "shared" && name != "auto" &&
        name != "watched")
      refuse(fmt::format("there is no backend '{}'", name));
}
void add_algorithms(CollectivesSelection& selection, const std::string& list) {
  for (const std::string& word : words_of(list)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) refuse(fmt::format("'{}' isn't OPERATION=ALGORITHM", word));
    const Operation operation = operation_of(word.substr(0, equals));
    selection.algorithms[operation] = word.substr(equals + 1);
    try {
      (void)plan::parse_choice(operation, selection.algorithms[operation]);
    } catch (const std::invalid_argument& error) {
      refuse(error.what());
    }
  }
}

struct Valued {
  std::string_view name;
  void (*set)(CollectivesSelection&, const std::string&);
};
constexpr std::array valued{
    Valued{"--operations", set_operations},
    Valued{"--sizes", set_sizes},
    Valued{"--backends", set_backends},
    Valued{"--algorithms", add_algorithms},
    Valued{"--seconds", [](CollectivesSelection& selection,
                           const std::string& word) { selection.seconds = number_of(word); }},
    Valued{"--json", [](CollectivesSelection& selection, const std::string& word) {
             selection.common.json = word;
           }}};

void set_defaults(CollectivesSelection& selection, bool seconds_are_given) {
  constexpr std::size_t kib = 1024;
  constexpr std::size_t mib = kib * kib;
  const bool quick = selection.common.quick;
  if (selection.operations.empty())
    selection.operations.assign(all_operations.begin(), all_operations.end());
  if (selection.sizes.empty() && quick) selection.sizes = {8, 16 * kib, 4 * mib};
  if (selection.sizes.empty())
    selection.sizes = {8,        64,        512,     4 * kib, 16 * kib,
                       64 * kib, 256 * kib, 1 * mib, 4 * mib, 16 * mib};
  if (selection.backends.empty()) selection.backends = {"p2p", "shared", "auto"};
  if (quick) selection.repeats = 1;
  if (quick && !seconds_are_given) selection.seconds = 0.08;
  if (!selection.same) return;
  selection.backends = {"p2p"};
  // Algorithms that Open MPI has, too.
  const std::map<Operation, std::string> shared_with_peer{{barrier, "dissemination(1)"},
                                                          {broadcast, "binomial_high_bit_first"},
                                                          {reduce, "binomial"},
                                                          {allreduce, "recursive_doubling"},
                                                          {scatter, "linear"},
                                                          {gather, "linear"},
                                                          {allgather, "ring"},
                                                          {alltoall, "pairwise"},
                                                          {reduce_scatter, "recursive_halving"}};
  selection.algorithms.insert(shared_with_peer.begin(), shared_with_peer.end());
}

}  // namespace

CollectivesSelection parse_collectives_options(int argc, const char* const* argv) {
  CollectivesSelection selection;
  bool seconds_are_given = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto known = std::ranges::find(valued, std::string_view(word), &Valued::name);
    if (known != valued.end()) {
      if (i + 1 == argc || *argv[i + 1] == '\0') refuse(fmt::format("{} needs a value", word));
      known->set(selection, argv[++i]);
      seconds_are_given = seconds_are_given || word == "--seconds";
    } else if (word == "--quick") {
      selection.common.quick = true;
    } else if (word == "--append") {
      selection.common.append = true;
    } else if (word == "--same") {
      selection.same = true;
    } else if (word == "--help" || word == "-h") {
      selection.common.help = true;
    } else {
      refuse(fmt::format("unknown option '{}'", word));
    }
  }
  set_defaults(selection, seconds_are_given);
  return selection;
}

std::string collectives_help() {
  return "usage: mpirun -n RANKS bench_collectives [options]\n"
         "  --operations A,B   barrier, broadcast, reduce, allreduce, reduce_scatter, scatter, "
         "gather, allgather,\n"
         "                     alltoall; all of them if nothing is said\n"
         "  --sizes N,M        bytes of a rank's larger buffer (all blocks together)\n"
         "  --backends A,B     p2p, shared, auto, native; watched: auto with comm.arrivals: watch\n"
         "  --algorithms O=A   of an operation, for p2p and shared: allreduce=ring\n"
         "  --same             p2p alone, and Open MPI uses the same algorithm\n"
         "  --seconds S        of measuring, for each cell of the table\n"
         "  --quick            three sizes, measured once: ends within 45 seconds\n"
         "  --json FILE        writes the results to FILE, too\n"
         "  --append           keeps the other cases that FILE already holds\n";
}

namespace {

/// Open MPI's number for an algorithm of ours; 0: none.
int number_at_peer(Operation operation, std::string_view algorithm) {
  struct Pair {
    Operation operation;
    std::string_view name;
    int number;
  };
  constexpr std::array pairs{Pair{allreduce, "recursive_doubling", 3},
                             Pair{allreduce, "ring", 4},
                             Pair{allreduce, "rabenseifner", 6},
                             Pair{broadcast, "linear", 1},
                             Pair{broadcast, "binomial_high_bit_first", 6},
                             Pair{broadcast, "scatter_allgather", 8},
                             Pair{reduce, "binomial", 5},
                             Pair{reduce_scatter, "recursive_halving", 3},
                             Pair{allgather, "direct", 1},
                             Pair{allgather, "bruck", 2},
                             Pair{allgather, "recursive_doubling", 3},
                             Pair{allgather, "ring", 4},
                             Pair{allgather, "neighbour_exchange", 5},
                             Pair{alltoall, "linear", 1},
                             Pair{alltoall, "pairwise", 2},
                             Pair{barrier, "dissemination(1)", 4},
                             Pair{gather, "linear", 1},
                             Pair{scatter, "linear", 1}};
  const auto found = std::ranges::find_if(pairs, [&](const Pair& pair) {
    return pair.operation == operation && pair.name == algorithm;
  });
  return found == pairs.end() ? 0 : found->number;
}

std::string name_at_peer(Operation operation) {
  if (operation == broadcast) return "bcast";
  if (operation == reduce_scatter) return "reduce_scatter_block";
  return std::string(plan::name_of(operation));
}

}  // namespace

void ask_peer_for_the_same(const CollectivesSelection& selection) {
#ifndef OPEN_MPI
  refuse("--same needs Open MPI: of other libraries it isn't known how to ask for an algorithm");
#endif
  setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
  for (const Operation operation : selection.operations) {
    const std::string& algorithm = selection.algorithms.at(operation);
    const int number = number_at_peer(operation, algorithm);
    if (number == 0)
      refuse(fmt::format("Open MPI has no {} by {}", plan::name_of(operation), algorithm));
    const std::string variable =
        fmt::format("OMPI_MCA_coll_tuned_{}_algorithm", name_at_peer(operation));
    setenv(variable.c_str(), std::to_string(number).c_str(), 1);
  }
}

}  // namespace cartwright::bench
