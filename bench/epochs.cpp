// SPDX-License-Identifier: Apache-2.0
// One-sided epochs that nobody waits for, against the MPI library's, which are closed by waiting:
// what a late rank costs others, what an epoch costs, transactions in a second, a target that is
// busy, a hash table whose work is stolen, LU factorisation and particles on ranks that are
// disturbed. Some of them:
// bench_epochs [latency] [patterns] [busy] [transactions] [words] [lu] [particles].
// layouts: 2x1 3x1 4x1 8x1
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "common/ranks_program.hpp"
#include "epochs/applications.hpp"
#include "epochs/patterns.hpp"
#include "epochs/rates.hpp"

namespace bench = cartwright::bench;
namespace comm = cartwright::comm;
namespace rt = cartwright::rt;

namespace {

constexpr double delay = 0.1;  // s

const std::set<std::string> known_parts{"latency", "patterns", "busy",     "transactions",
                                        "words",   "lu",       "particles"};

struct Selection {
  bench::Options common;
  std::set<std::string> parts;  ///< empty: those that are for this number of ranks
};

Selection parse(int argc, const char* const* argv) {
  Selection selection;
  std::vector<const char*> rest;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    if (known_parts.contains(word))
      selection.parts.insert(word);
    else
      rest.push_back(argv[i]);
  }
  selection.common = bench::parse_options(static_cast<int>(rest.size()), rest.data());
  return selection;
}

void measure(const rt::Communicator& world, const Selection& selection) {
  const bench::Setting setting{world, selection.common, fmt::format("{} ranks", world.size())};
  bench::Results results("epochs", setting.layout);
  const auto has = [&](const char* part, bool fits, bool usual) {
    return selection.parts.empty() ? usual : fits && selection.parts.contains(part);
  };
  {
    rt::ProgressEngine engine;
    const comm::CartComm cart(world, engine, {.dims = {world.size()}});
    const int ranks = world.size();
    if (has("latency", ranks == 2, ranks == 2)) bench::measure_latency(cart, setting, results);
    if (has("patterns", ranks >= 2, ranks == 3))
      bench::measure_patterns(cart, setting, delay, results);
    if (has("busy", ranks >= 2, ranks == 2))
      bench::measure_busy_target(cart, setting, delay, results);
    if (has("transactions", ranks >= 2, ranks >= 4))
      bench::measure_transactions(cart, setting, results);
  }
  using Application = void (*)(const rt::Communicator&, const bench::Setting&, bench::Results&);
  const std::vector<std::pair<const char*, Application>> applications{
      {"words", bench::measure_words},
      {"lu", bench::measure_lu},
      {"particles", bench::measure_particles}};
  for (const auto& [part, measure_it] : applications)
    if (has(part, world.size() >= 2, world.size() >= 4)) measure_it(world, setting, results);
  if (world.size() > static_cast<int>(std::thread::hardware_concurrency()))
    results.note("Warning: ranks share cores.");
  if (world.is_root()) results.publish(setting.options);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_on_ranks([&] {
    const Selection selection = parse(argc, argv);
    return bench::RanksProgram{
        selection.common.help ? bench::options_help("epochs") : "",
        [selection](const rt::Communicator& world) { measure(world, selection); }};
  });
}
